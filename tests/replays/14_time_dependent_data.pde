# Firedrake #391, #1614, #928: u = 1 + 2 t on all sides stayed at 1, and of two unknowns that share it the second did.
geometry square = rectangle(x: 0..1, y: 0..1)
field g = 1 + 2*t
pde alone on square { unknown u : scalar P1; dt(u) == lap(u) + 2; on all: u == g; initially: u == g }
pde both on square {
  unknown u, v : scalar P1
  equation u: dt(u) == lap(u) + 2
  equation v: dt(v) == lap(v) + 2
  on all { u == g; v == g }
  initially: u == g
  initially: v == g
}
pde flowing on square {
  unknown u : scalar P1
  dt(u) == lap(u) + 2
  on left: u == g
  on right: dot(grad(u), n) == g - u
  on others: dot(grad(u), n) == 0
  initially: u == g
}
m = mesh(square, cells: [5, 5])
fn stays(field_at, time, what) {
  v = norm(field_at - (1 + 2*time), Linf)
  assert v < 1e-11, f"{what}: off by {v:.2e} at {time}"
}
for (a, b, c, what) in [(solve(alone, m, time: 0..1, step: 0.125, scheme: backward_euler), solve(both, m, time: 0..1, step: 0.125, scheme: backward_euler), solve(flowing, m, time: 0..1, step: 0.125, scheme: backward_euler), "backward_euler"),
                        (solve(alone, m, time: 0..1, step: 0.125, scheme: crank_nicolson), solve(both, m, time: 0..1, step: 0.125, scheme: crank_nicolson), solve(flowing, m, time: 0..1, step: 0.125, scheme: crank_nicolson), "crank_nicolson"),
                        (solve(alone, m, time: 0..1, step: 0.125, scheme: bdf2), solve(both, m, time: 0..1, step: 0.125, scheme: bdf2), solve(flowing, m, time: 0..1, step: 0.125, scheme: bdf2), "bdf2")] {
  for j in 0..8 {
    stays(a.u at 0.125*j, 0.125*j, what)
    stays(b.u at 0.125*j, 0.125*j, what)
    stays(b.v at 0.125*j, 0.125*j, what)
    stays(c.u at 0.125*j, 0.125*j, what)
  }
  print(f"ok 1 + 2 t at all steps, {what}")
}
