# What made the trajectories of advection_diffusion; its fields are in advection_diffusion_truth.h5. Read by `pde submit --truth` alone.
hypothesis truth for advection_diffusion {
  unknown field D(x, y), vx(x, y), vy(x, y)
  dt(u) == D*lap(u) - vx*dx(u) - vy*dy(u)
}
