# The workspace of a discovery: pde init find_variable_diffusion.pde --run runs/variable_diffusion
discovery variable_diffusion {
  state u(x, y, t)
  trajectories: "variable_diffusion_A.h5", "variable_diffusion_B.h5"
  language { order: 2; functions: [tanh, sin, exp]; fields: 5; nodes: 40 }
  budget: 64
}

# pde view gw.run top_five, search or decisions; with -o FILE.html as a page
view top_five of variable_diffusion {
  title "The five best laws"
  table candidates: rank, equation, score, error_ab, error_ba, stability, fields sort score limit 5 where score > 0
}
view search of variable_diffusion {
  title "The search"
  plot score, best_so_far against evaluation
  table candidates: evaluation, id, status, code, equation, score, best_so_far
}
view decisions of variable_diffusion {
  title "What was decided, and what it cost"
  table budget: actor, step, amount, key, reason
  table messages: actor, role, text
  table course: what, status
}
