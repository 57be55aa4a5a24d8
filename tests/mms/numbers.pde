# Unknown numbers: electrodes that carry a given current, circuits beside a field, floating conductors, rigid plates; contact impedance without a tie.
geometry square = rectangle(x: 0..1, y: 0..1)
geometry coax = annulus(center: (0, 0), inner: 0.3, outer: 1)
m = mesh(square, cells: [6, 6])

pde bar(I = 2.0, s = 0.5) on square {
  unknown u : scalar P1
  unknown V : number
  -div(s*grad(u)) == 0
  on left: u == V
  on right: u == 0
  on others: dot(s*grad(u), n) == 0
  equation V: integral(dot(s*grad(u), n), on: left) == I
}
sol = solve(bar, m)
assert abs(sol.V - 4) < 1e-12 and norm(sol.u - 4*(1 - x), Linf) < 1e-12 and abs(flux(sol.u, left) - 2) < 1e-12, f"V = {sol.V}"
assert abs(solve(bar, m, I: -1).V + 2) < 1e-12
print("ok an electrode with a given current")

# The flux may stand on any side, with any factor; a battery V0 with a resistor R feeds the bar, whose own resistance is 2.
pde circuit(V0 = 9.0, R = 1.0) on square {
  unknown u : scalar P2
  unknown V : number
  -div(0.5*grad(u)) == 0
  on left: u == V
  on right: u == 0
  on others: dot(0.5*grad(u), n) == 0
  equation V: V0 - V == 2*R*integral(dot(0.25*grad(u), n), on: left)
}
sol = solve(circuit, m)
assert abs(sol.V - 6) < 1e-11 and abs(flux(sol.u, left) - 3) < 1e-11, f"V = {sol.V}"
print("ok a battery with a resistor")

# In a coaxial line V = I log(b/a)/(2 pi): by reactions the error of V is that of the energy, of order 2p.
pde line on coax {
  unknown u : scalar P2
  unknown V : number
  -lap(u) == 0
  on inner: u == V
  on outer: u == 0
  equation V: integral(dot(grad(u), n), on: inner) == 1
}
before = 0.0
for h in [0.2, 0.1, 0.05] {
  e = abs(solve(line, mesh(coax, h: h)).V - log(1/0.3)/(2*pi))
  if before > 0 { assert e < before/6, f"coaxial line: errors {before:.2e}, {e:.2e}" }
  before = e
}
assert before < 1e-6
print(f"ok a coaxial line, error {before:.1e}")

# A conductor that floats takes the potential at which no net current enters: by symmetry the mean, here 1/2; with an offset along it 0.3 more or less.
geometry hollow {
  outer = rectangle(x: 0..1, y: 0..1)
  hole = disk(center: (0.5, 0.5), radius: 0.2)
  shape = outer - hole
}
pde floating on hollow {
  unknown u : scalar P2
  unknown V : number
  -lap(u) == 0
  on outer.left: u == 1
  on outer.right: u == 0
  on hole: u == V + 0.3*(y - 0.5)
  on others: dot(grad(u), n) == 0
  equation V: integral(dot(grad(u), n), on: hole) == 0
}
sol = solve(floating, mesh(hollow, h: 0.08))
assert abs(sol.V - 0.5) < 1e-4 and abs(flux(sol.u, hole)) < 1e-10, f"V = {sol.V}"
print("ok a floating conductor")

# Contact impedance (the complete electrode model: Somersalo, Cheney, Isaacson 1992): V is one Robin condition's reference and nothing's value.
pde contact(I = 2.0, z = 0.7) on square {
  unknown u : scalar P1
  unknown V : number
  -lap(u) == 0
  on left: dot(grad(u), n) == (V - u)/z
  on right: u == 0
  on others: dot(grad(u), n) == 0
  equation V: integral((V - u)/z, on: left) == I
}
sol = solve(contact, m)
assert abs(sol.V - 3.4) < 1e-11 and abs(sol.u(0, 0.5) - 2) < 1e-11, f"V = {sol.V}"
print("ok contact impedance")

# A rigid plate presses on a block with the force F: it sinks by F H/(E W) in plane stress, free to the sides.
import "mechanics/elasticity"
pde pressed(F = 3.0, E = 10.0, nu = 0.3) on square {
  unknown u : vector P2
  unknown sink : number
  field s = plane_stress(u, E, nu)
  div(s) == 0
  on top { u.y == sink; dot(s, n).x == 0 }
  on bottom { u.y == 0; dot(s, n).x == 0 }
  on left { u.x == 0; dot(s, n).y == 0 }
  on right: dot(s, n) == 0
  equation sink: integral(dot(s, n).y, on: top) == -F
}
sol = solve(pressed, m)
assert abs(sol.sink + 0.3) < 1e-11 and norm(sol.u - (0.09*x, -0.3*y), Linf) < 1e-10, f"it sinks by {sol.sink}"
print("ok a rigid plate")

# Nonlinear: with conductivity 1 + u^2 the current through the bar is V + V^3/3.
pde warm(I = 12.0) on square {
  unknown u : scalar P2
  unknown V : number
  -div((1 + u^2)*grad(u)) == 0
  on left: u == V
  on right: u == 0
  on others: dot((1 + u^2)*grad(u), n) == 0
  equation V: integral(dot((1 + u^2)*grad(u), n), on: left) == I
}
sol = solve(warm, mesh(square, cells: [32, 4]))
assert abs(sol.V - 3) < 1e-6, f"V = {sol.V}"
print("ok nonlinear")

# In time: a wall of one temperature takes heat at the rate 0.5 + t; what came in is kept.
pde heated on square {
  unknown u : scalar P1
  unknown V : number
  dt(u) == lap(u)
  on left: u == V + 0*x
  on others: dot(grad(u), n) == 0
  equation V: integral(dot(grad(u), n), on: left) == 0.5
  initially: u == 0
}
sol = solve(heated, m, time: 0..1, step: 0.05, scheme: backward_euler)
assert abs(integral(sol.u) - 0.5) < 1e-10, f"heat {integral(sol.u)}"
V = history(sol.V)
assert V.values[1] > 0 and abs((sol.V at 1) - sol.V) < 1e-12 and (sol.V at 0.5) < sol.V, "the wall warms up"
print("ok in time")
