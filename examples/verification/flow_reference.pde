## The flow problem of V3 and V9: a square with a hole, its reference field, its pressure patch.
##
## The hole has radius 0.1 about (0.25, 0.25); density 1, viscosity 0.1. With q = max(y - 0.5, 0) and psi = 0.1 (1 - x)^3 q^4 the
## reference velocity is (dpsi/dy, -dpsi/dx), which vanishes around the hole; the pressure is 0. The stress vanishes on the
## outlet x = 1, so that the condition there, no traction, is exact.
import "flow/incompressible"

geometry holed {
  square = rectangle(x: 0..1, y: 0..1)
  hole = disk(center: (0.25, 0.25), radius: 0.1)
  shape = square - hole
}
field q = max(y - 0.5, 0)
field w = (0.4*(1 - x)^3*q^3, 0.3*(1 - x)^2*q^4)
## The force that makes w a solution: rho (w . grad) w - mu lap(w).
field force = dot(w, grad(w)) - 0.1*lap(w)

pde flow on holed {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: dot(u, grad(u)) - div(pseudo_stress(u, p, 0.1)) == force
  equation p: div(u) == 0
  on left, top, bottom: u == w
  on hole: u == 0
  on right: dot(pseudo_stress(u, p, 0.1), n) == 0
}

## At rest, the pressure 1 - x against the force (-1, 0).
pde patch on holed {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: dot(u, grad(u)) - div(pseudo_stress(u, p, 0.1)) == (-1, 0)
  equation p: div(u) == 0
  on left, top, bottom, hole: u == 0
  on right: dot(pseudo_stress(u, p, 0.1), n) == 0
}
