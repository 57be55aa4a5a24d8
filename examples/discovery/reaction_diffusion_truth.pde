# What made the trajectories of reaction_diffusion; its fields are in reaction_diffusion_truth.h5. Read by `pde submit --truth` alone.
hypothesis truth for reaction_diffusion {
  unknown field D(x, y), k(x, y)
  dt(u) == div(D*grad(u)) - k*u
}
