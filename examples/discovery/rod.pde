# One dimension: the conductivity of a rod from two noisy films of its temperature, one law given. Then the fitted field is the coefficient of another problem.
geometry rod = interval(0, 1)
m = mesh(rod, cells: [120])
field D = 0.02*(1 + 0.6*sin(2*pi*x) + 0.3*cos(5*pi*x))

pde heating(g = 0.0) on rod {
  unknown T : scalar P2
  dt(T) == dx(D*dx(T))
  on all: T == g
  initially: T == g
}
fn film(seed) {
  sol = solve(heating, m, g: random_waves(10, wavenumber: 0.5..3, frequency: 0..1.5, seed: seed, dim: 1), time: 0..1, step: 1/360, scheme: crank_nicolson, keep: 3)
  return noisy(sampled(sol.T, [91]), 3%, seed: seed)
}
films = [film(1), film(2)]

discovery bar {
  state T(x, t)
  trajectories: "film_1.h5", "film_2.h5"
  language { order: 2; fields: 1; nodes: 20 }
  budget: 4
}
hypothesis conduction for bar {
  unknown field k(x)
  dt(T) == dx(k*dx(T))
}
f = fit(conduction, trajectories: films)
print(f.equation, f.explained, f.k.identifiable)      # print(f) says more
truth = sampled(project(D, m).u, [91])
found = agreement(f.k, truth, weight: f.k.information)
print(f"correlation {found.correlation:.3f}, relative error {found.relative_l2:.2f}")

pde cooling(k = f.k) on rod {
  unknown T : scalar P2
  dt(T) == dx(k*dx(T))
  on left: T == 0
  on right: dot(k*grad(T), n) == 0
  initially: T == 1
}
a = solve(cooling, m, time: 0..5, step: 0.05)
b = solve(cooling, m, k: D, time: 0..5, step: 0.05)
print(f"at the free end {a.T(1):.2f}, with the true field {b.T(1):.2f}")
check f against null_law(f), field_transfer(f), bounded_rollout(f), dissipative(f), law_conserves(f)
