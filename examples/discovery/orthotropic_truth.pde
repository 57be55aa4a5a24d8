# What made the trajectories of orthotropic; its fields are in orthotropic_truth.h5. Read by `pde submit --truth` alone.
hypothesis truth for orthotropic {
  unknown field Dx(x, y), Dy(x, y)
  dt(u) == dx(Dx*dx(u)) + dy(Dy*dy(u))
}
