## A square plate pulled and sheared at its top, in plane stress.
##
## The unit square stands on rollers along the bottom (u.y = 0) and along the right side (u.x = 0); the left side is free; the
## top carries the traction (fx, fy). Linear in (fx, fy); u is proportional to 1/E. Without units.

import "mechanics/elasticity"

## The unit square.
geometry plate = rectangle(x: 0..1, y: 0..1)

## Displacement of the plate.
pde elasticity(fx = 0.0, fy = 0.1, E = 10.0, nu = 0.25) on plate {
  unknown u : vector P1
  div(plane_stress(u, E, nu)) == 0
  on bottom { u.y == 0; dot(plane_stress(u, E, nu), n).x == 0 }
  on right { u.x == 0; dot(plane_stress(u, E, nu), n).y == 0 }
  on top: dot(plane_stress(u, E, nu), n) == (fx, fy)
  on others: dot(plane_stress(u, E, nu), n) == 0
}

_m = mesh(plate, cells: [8, 8])

test "pulled without shear: u = fy/E (nu (1 - x), y)" {
  s = solve(elasticity, _m, fy: 0.3, E: 5, nu: 0.2)
  assert norm(s.u - 0.06*(0.2*(1 - x), y)) < 1e-12
}
test "linear in the load, reciprocal in E" {
  a = solve(elasticity, _m, fx: 0.2, fy: 0)
  b = solve(elasticity, _m, fx: -0.1, fy: 0, E: 20)
  assert norm(a.u + 4*b.u) < 1e-11*norm(a.u)
  accept reaction_balance(a, u)
}
