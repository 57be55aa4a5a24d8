## An elastic strip driven at its right end.
##
## The strip [-0.5, 0.5] x [-0.1, 0.1] in plane stress, E = 10, nu = 0.25, rho = 1, is held at the left end and moved by (ux, uy) at
## the right one; the long sides are free. Second order in time: solve(strip(ux, uy), strip_mesh, time: 0..2, step: 0.02). Without units.

import "mechanics/elasticity"

## The strip.
geometry strip_body = rectangle(x: -0.5..0.5, y: -0.1..0.1)

## Its mesh of 40 x 8 cells.
strip_mesh = mesh(strip_body, cells: [40, 8])

## Motion of the strip.
pde strip(ux = 0.0, uy = 0.0, E = 10.0, nu = 0.25, rho = 1.0) on strip_body {
  unknown u : vector P2
  rho*dtt(u) == div(plane_stress(u, E, nu))
  on left: u == 0
  on right: u == (ux, uy)
  on others: dot(plane_stress(u, E, nu), n) == 0
  initially: u == 0
  initially: dt(u) == 0
}

## Speed of longitudinal waves in a plate, sqrt(E/(rho (1 - nu^2))).
fn plate_speed(E, nu, rho) = sqrt(E/(rho*(1 - nu^2)))
## Speed of shear waves, sqrt(mu/rho).
fn shear_speed(E, nu, rho) = sqrt(E/(2*(1 + nu)*rho))

test "speeds" {
  assert abs(plate_speed(10, 0.25, 1) - 3.2659863237109) < 1e-12
  assert abs(shear_speed(10, 0.25, 1) - 2) < 1e-12
}
