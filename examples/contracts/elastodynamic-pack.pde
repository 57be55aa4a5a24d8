## A strip whose end is moved by histories, audited in function mode: the solver itself against what linear elastodynamics demands of anyone who predicts its
## displacements. Left edge fixed, right edge follows (ux(t), uy(t)), plane stress, from rest; a bank of smooth histories that begin at 0.
import "mechanics/elasticity"
import "mechanics/dynamics"
geometry bar = rectangle(x: -0.5..0.5, y: -0.1..0.1)
pde pulled(ux = 0.0, uy = 0.0) on bar {
  unknown u : vector P2
  field sigma = plane_stress(u, 10, 0.25)
  dtt(u) == div(sigma)
  on left: u == 0
  on right: u == (ux, uy)
  on top, bottom: dot(sigma, n) == 0
  initially: u == 0
  initially: dt(u) == 0
}
map strip_map {
  input ux(t), uy(t) from bank(ux: [t^3/80, t^4/160, 0*t], uy: [0*t, t^3/160, t^3*(2 - t)/40])
  output u(t) from solve(pulled(ux, uy), mesh(bar, cells: [10, 2]), time: 0..2, step: 0.05)
}
contracts strip_dynamics(m: model) {
  include elastodynamic(m, u, loads: [ux, uy], driven: u == (ux, uy), part: right, start: u == 0, distance: 0.5 - x, speed: plate_speed(10, 0.25, 1), margin: 0.3,
    stress: plane_stress(u, 10, 0.25), density: 1, lift: x + 0.5)
  hard strict_causality(m)
  soft impulse_response(m)
}
v = audit strip_map against strip_dynamics { samples: 3; seed: 2 }
assert v.passed
