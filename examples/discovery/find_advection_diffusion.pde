# The workspace of a discovery: pde init find_advection_diffusion.pde --run runs/advection_diffusion
discovery advection_diffusion {
  state u(x, y, t)
  trajectories: "advection_diffusion_A.h5", "advection_diffusion_B.h5"
  language { order: 2; functions: [tanh, sin, exp]; fields: 5; nodes: 40 }
  budget: 64
}
