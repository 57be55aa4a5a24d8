# The workspace of a discovery: pde init find_variable_diffusion.pde --run runs/variable_diffusion
discovery variable_diffusion {
  state u(x, y, t)
  trajectories: "variable_diffusion_A.h5", "variable_diffusion_B.h5"
  language { order: 2; functions: [tanh, sin, exp]; fields: 5; nodes: 40 }
  budget: 64
}
