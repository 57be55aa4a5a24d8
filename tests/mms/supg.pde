# Streamline upwinding: the orders of the element at a cell Peclet number far over 1, steady and in time; a layer without overshoot.
import "orders"
geometry square = rectangle(x: 0..1, y: 0..1)
geometry line = interval(0, 1)
field b = (1, 0.5)
field w = sin(3*x + 2*y)
field wt = sin(3*x + 2*y - t)
pde one(k = 1e-5) on square {
  unknown u : scalar P1
  dot(b, grad(u)) + u == div(k*grad(u)) + dot(b, grad(w)) - k*lap(w) + w
  on all: u == w
  stabilize: supg
}
pde two(k = 1e-5) on square {
  unknown u : scalar P2
  dot(b, grad(u)) == div(k*grad(u)) + dot(b, grad(w)) - k*lap(w)
  on all: u == w
  stabilize: supg
}
pde moving(k = 1e-5) on square {
  unknown u : scalar P1
  dt(u) + dot(b, grad(u)) == div(k*grad(u)) + dt(wt) + dot(b, grad(wt)) - k*lap(wt)
  on all: u == wt
  initially: u == wt
  stabilize: supg
}
pde layer(k = 1e-3) on line { unknown u : scalar P1; dx(u) == k*lap(u) + 1; on all: u == 0; stabilize: supg }
m = mesh(square, h: 0.2)
expect(refine(one, exact: (u: w), mesh: m, levels: 4), 2, 1, "SUPG, P1")
expect(refine(two, exact: (u: w), mesh: m, levels: 3), 3, 2, "SUPG, P2")
e = []
for n in [10, 20, 40] {
  s = solve(moving, mesh(square, cells: [n, n]), time: 0..0.5, step: 0.5/n, scheme: crank_nicolson)
  e = e ++ [norm(s.u - sin(3*x + 2*y - 0.5))]
}
order = log(e[1]/e[2])/log(2)
print(f"ok SUPG in time: order {order:.2f}")
assert abs(order - 2) < 0.15, f"SUPG in time: order {order:.3f}, expected 2"
s = solve(layer, mesh(line, cells: [20]))
assert max(s.u) < 1 and min(s.u) > -1e-12, "no overshoot"
