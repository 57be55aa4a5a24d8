# Pictures of what a law finds in noisy films: measured slices, truth and fit on one scale, how sure the field is.
import "common.pde"

C = project(0.012*exp(0.5*normal_field(0.22, 11)), m, element: Q2).u
pde groundwater_flow(g = 0.0) on square {
  unknown h : scalar Q2
  dt(h) == div(C*grad(h))
  on all: h == g
  initially: h == g
}
fn film(which) {
  sol = solve(groundwater_flow, m, g: excitation(0, which), time: 0..1, step: 1/((frames - 1)*substeps), scheme: crank_nicolson, keep: substeps)
  return noisy(sampled(sol.h, [nodes, nodes]), noise, seed: 77_000 + which)
}
films = [film(0), film(1)]

discovery groundwater {
  state h(x, y, t)
  trajectories: "groundwater_A.h5", "groundwater_B.h5"
  language { order: 2; fields: 1; nodes: 20 }
}
hypothesis law for groundwater {
  unknown field K(x, y)
  dt(h) == div(K*grad(h))
}
f = fit(law, trajectories: films)
truth = sampled(C, [nodes, nodes], as: "C")
found = agreement(f.K, truth)
print(f"r = {found.correlation:.2f}, relative L2 {found.relative_l2:.1f}, {f.K.identifiable}")

plot(films[0] at 0, "first.png", title: "h as measured at the beginning")
plot(films[0] at 1, "last.png", title: "h as measured at the end")
plot(truth, "truth.png", range: 0..0.055, title: "C, true")
plot(f.K, "fit.png", range: 0..0.055, title: f"C, fitted: r = {found.correlation:.4f}, relative L2 {found.relative_l2:.3f}")
plot(f.K.band, "band.png", title: "standard deviation of C")
plot(f.K.information, "information.png", range: 0..1, title: "how much of C the data tell")
