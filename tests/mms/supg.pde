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

# Vectors: both components carried alike, and each by a velocity of its own.
field v = (sin(3*x + 2*y), cos(2*x - y))
pde vector1(k = 1e-5) on square {
  unknown u : vector P1
  dot(b, grad(u)) + u == div(k*grad(u)) + dot(b, grad(v)) - k*lap(v) + v
  on all: u == v
  stabilize: supg
}
pde vector2(k = 1e-5) on square {
  unknown u : vector P2
  dot(b, grad(u)) == div(k*grad(u)) + dot(b, grad(v)) - k*lap(v)
  on all: u == v
  stabilize: supg
}
pde apart(k = 1e-5) on square {
  unknown u : vector P1
  (dx(u.x), dy(u.y)) + u == div(k*grad(u)) + (dx(v.x), dy(v.y)) - k*lap(v) + v
  on all: u == v
  stabilize: supg
}
expect(refine(vector1, exact: (u: v), mesh: m, levels: 4), 2, 1, "SUPG, vector P1")
expect(refine(vector2, exact: (u: v), mesh: m, levels: 3), 3, 2, "SUPG, vector P2")
expect(refine(apart, exact: (u: v), cells: [8, 16, 32, 64]), 2, 1, "SUPG, components apart")

# The momentum of a flow (Kovasznay).
Re = 40.0
lam = Re/2 - sqrt(Re^2/4 + 4*pi^2)
field speed = (1 - exp(lam*x)*cos(2*pi*y), lam/(2*pi)*exp(lam*x)*sin(2*pi*y))
field pressure = 0.5*(1 - exp(2*lam*x))
geometry wake = rectangle(x: 0..1, y: -0.5..0.5)
pde flow on wake {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: dot(u, grad(u)) == div(grad(u)/Re - p*I)
  equation p: div(u) == 0
  on left, bottom, top: u == speed
  on right: dot(grad(u)/Re - p*I, n) == dot(grad(speed)/Re - pressure*I, n)
  stabilize: supg
}
waves = refine(flow, exact: (u: speed, p: pressure), cells: [8, 16, 32])
check waves against order_at_least(waves, L2, expected: 2), order_at_least(waves, H1, expected: 1)
