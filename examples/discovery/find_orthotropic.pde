# The workspace of a discovery: pde init find_orthotropic.pde --run runs/orthotropic
discovery orthotropic {
  state u(x, y, t)
  trajectories: "orthotropic_A.h5", "orthotropic_B.h5"
  language { order: 2; functions: [tanh, sin, exp]; fields: 5; nodes: 40 }
  budget: 64
}
