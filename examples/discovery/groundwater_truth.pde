# What made the trajectories of groundwater; its fields are in groundwater_truth.h5. Read by `pde submit --truth` alone.
hypothesis truth for groundwater {
  unknown field C(x, y)
  dt(h) == div(C*grad(h))
}
