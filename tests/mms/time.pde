# Orders in time with Dirichlet data that depend on time. In space the exact solution is a polynomial of degree 2: P2 holds it,
# so what is seen is the error of the scheme alone.
geometry square = rectangle(x: 0..1, y: 0..1)
geometry line = interval(0, 1)
field w = (1 + x^2 + 0.5*x*y)*cos(3*t) + y*exp(-t)
field v = (1 + x^2)*cos(3*t)

pde heat(k = 0.2) on square {
  unknown u : scalar P2
  dt(u) == k*lap(u) + dt(w) - k*lap(w)
  on left, top: u == w
  on bottom: dot(k*grad(u), n) == dot(k*grad(w), n)
  on right: dot(k*grad(u), n) == dot(k*grad(w), n) + 2*(w - u)
  initially: u == w
}
pde nonlinear on line {
  unknown u : scalar P2
  dt(u) - lap(u) + u^3 == dt(v) - lap(v) + v^3
  on all: u == v
  initially: u == v
}
## The mass term carries a coefficient that depends on place and time.
pde capacity on square {
  unknown u : scalar P2
  (2 + x*cos(t))*dt(u) == div((1 + y*t)*grad(u)) + (2 + x*cos(t))*dt(w) - div((1 + y*t)*grad(w))
  on all: u == w
  initially: u == w
}
fn expect(s, order, what) {
  a = observed_order(s, L2)
  b = observed_order(s, H1)
  assert abs(a - order) < 0.1 and abs(b - order) < 0.1, f"{what}: orders {a:.3f}, {b:.3f}, expected {order}"
  print(f"ok {what}: orders {a:.2f}, {b:.2f}")
}
m = mesh(square, cells: [3, 3])
l = mesh(line, cells: [5])
expect(refine(heat, exact: (u: w), mesh: m, time: 0..1, steps: [0.02, 0.01, 0.005], scheme: backward_euler), 1, "backward_euler")
expect(refine(heat, exact: (u: w), mesh: m, time: 0..1, steps: [0.04, 0.02, 0.01], scheme: crank_nicolson), 2, "crank_nicolson")
expect(refine(heat, exact: (u: w), mesh: m, time: 0..1, steps: [0.02, 0.01, 0.005], scheme: bdf2), 2, "bdf2")
expect(refine(nonlinear, exact: (u: v), mesh: l, time: 0..1, steps: [0.02, 0.01, 0.005], scheme: backward_euler), 1, "backward_euler, nonlinear")
expect(refine(nonlinear, exact: (u: v), mesh: l, time: 0..1, steps: [0.02, 0.01, 0.005], scheme: crank_nicolson), 2, "crank_nicolson, nonlinear")
expect(refine(nonlinear, exact: (u: v), mesh: l, time: 0..1, steps: [0.02, 0.01, 0.005], scheme: bdf2), 2, "bdf2, nonlinear")
expect(refine(capacity, exact: (u: w), mesh: m, time: 0..1, steps: [0.02, 0.01, 0.005], scheme: backward_euler), 1, "backward_euler, capacity of time")
expect(refine(capacity, exact: (u: w), mesh: m, time: 0..1, steps: [0.04, 0.02, 0.01], scheme: crank_nicolson), 2, "crank_nicolson, capacity of time")
expect(refine(capacity, exact: (u: w), mesh: m, time: 0..1, steps: [0.02, 0.01, 0.005], scheme: bdf2), 2, "bdf2, capacity of time")
