# The workspace of a discovery: pde init find_reaction_diffusion.pde --run runs/reaction_diffusion
discovery reaction_diffusion {
  state u(x, y, t)
  trajectories: "reaction_diffusion_A.h5", "reaction_diffusion_B.h5"
  language { order: 2; functions: [tanh, sin, exp]; fields: 5; nodes: 40 }
  budget: 64
}
