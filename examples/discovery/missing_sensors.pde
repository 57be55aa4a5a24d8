# A block of sensors that failed for half of the time: the law is fitted without them, and the map of information says where the field is told less.
import "common.pde"

C = project(0.012*exp(0.5*normal_field(0.3, 7)), m, element: Q2).u
pde diffusion(g = 0.0) on square {
  unknown u : scalar Q2
  dt(u) == div(C*grad(u))
  on all: u == g
  initially: u == g
}
fn film(which) {
  sol = solve(diffusion, m, g: excitation(5, which), time: 0..1, step: 1/((frames - 1)*substeps), scheme: crank_nicolson, keep: substeps)
  return noisy(sampled(sol.u, [nodes, nodes]), noise, seed: 90 + which)
}
whole = [film(0), film(1)]
holed = [without(whole[0], x: 0.3..0.5, y: 0.5..0.75, t: 0..0.5), without(whole[1], x: 0.3..0.5, y: 0.5..0.75, t: 0..0.5)]
print(holed[0])

discovery plate {
  state u(x, y, t)
  trajectories: "A.h5", "B.h5"
  language { order: 2; fields: 2; nodes: 20 }
  budget: 4
}
hypothesis law for plate {
  unknown field D(x, y)
  dt(u) == div(D*grad(u))
}
truth = sampled(C, [nodes, nodes])
for films in [whole, holed] {
  f = fit(law, trajectories: films)
  found = agreement(f.D, truth)
  print(f"relative error {found.relative_l2:.1f}, correlation {found.correlation:.2f}, {f.explained}, {f.D.identifiable}")
}
