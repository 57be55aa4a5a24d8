# Runs through time: schemes, automatic steps, forces with inertia.
geometry square = rectangle(x: 0..1, y: 0..1)
fn show(name, v) { print(f"{name} ~ {v:.15e}") }
fn stress(u) = 1.5*tr(eps(u))*I + 2*eps(u)
pde shaken on square {
  unknown u : vector P1
  unknown T : scalar P2
  equation u: dtt(u) == div(stress(u)) - 0.1*grad(T)
  equation T: dt(T) == lap(T) - T^3
  on left: u == (0.1*sin(5*t), 0)
  on others: dot(stress(u), n) == 0
  on all: T == x*t
  initially: u == 0
  initially: dt(u) == (0.5, 0)
  initially: T == 0
}
m = mesh(square, cells: [8, 8])
for scheme in ["bdf2", "crank_nicolson", "generalized_alpha"] {
  s = solve(shaken, m, time: 0..0.5, step: 0.02, scheme: scheme)
  show(f"{scheme}, displacement", norm(s.u)); show(f"{scheme}, temperature", norm(s.T))
  (fx, fy) = flux(s.u, left)
  show(f"{scheme}, force", fx); show(f"{scheme}, heat", flux(s.T, right))
}
pde heat on square {
  unknown u : scalar P1
  dt(u) == lap(u)
  on left: u == 1
  on others: dot(grad(u), n) == 0
  initially: u == 0
}
s = solve(heat, m, time: 0..1, step: auto, tol: 1e-3, outputs: [0.3])
show("automatic steps", s.steps); show("automatic steps, L2", norm(s.u)); show("automatic steps, at 0.3", integral(s.u at 0.3))
