# What made the trajectories of variable_diffusion; its fields are in variable_diffusion_truth.h5. Read by `pde submit --truth` alone.
hypothesis truth for variable_diffusion {
  unknown field a(x, y)
  dt(u) == a*lap(u)
}
