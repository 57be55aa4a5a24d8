# The workspace of a discovery: pde init find_groundwater.pde --run runs/groundwater
discovery groundwater {
  state h(x, y, t)
  trajectories: "groundwater_A.h5", "groundwater_B.h5"
  language { order: 2; functions: [tanh, sin, exp]; fields: 5; nodes: 40 }
  budget: 64
}
