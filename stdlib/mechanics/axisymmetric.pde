## Bodies of revolution under loads that turn with them: the half plane (r, z) is the plane (x, y), and the displacement is (u_r, u_z).
##
## Equilibrium, each equation times r: div(r*stress) - (hoop, 0) + r*f == 0. So the flux is r*stress, and a condition on a side of the section reads
## `dot(r*stress, n) == r*traction`. On the axis, where r = 0, write u.x == 0. Any consistent units, or none.
##
## Source: Timoshenko and Goodier, Theory of Elasticity, 3rd edition, chapters 4 and 12; Zienkiewicz and Taylor, The Finite Element Method, 5th edition,
## volume 1, chapter 5.

import "mechanics/elasticity"

## In-plane stress (rr, rz; zr, zz) of a displacement u in the section, r the radius: axisymmetric_stress(u, E, nu, x).
fn axisymmetric_stress(u, E, nu, r) {
  (mu, la) = lame(E, nu)
  return 2*mu*eps(u) + la*(tr(eps(u)) + u.x/r)*I
}

## Hoop stress, around the axis.
fn hoop_stress(u, E, nu, r) {
  (mu, la) = lame(E, nu)
  return 2*mu*u.x/r + la*(tr(eps(u)) + u.x/r)
}

## Force per area and radius that the hoop stress pulls towards the axis with: what stands beside div(r*stress).
fn hoop_pull(u, E, nu, r) = (hoop_stress(u, E, nu, r), 0*u.y)

## Lamé's thick tube, inner radius a, outer radius b, pressure p inside, ends held axially: radial displacement and stresses at r.
fn tube_displacement(r, a, b, p, E, nu) = (1 + nu)*p*a^2/(E*(b^2 - a^2))*((1 - 2*nu)*r + b^2/r)
fn tube_radial_stress(r, a, b, p) = p*a^2/(b^2 - a^2)*(1 - b^2/r^2)
fn tube_hoop_stress(r, a, b, p) = p*a^2/(b^2 - a^2)*(1 + b^2/r^2)

geometry _section = rectangle(x: 1..2, y: 0..0.5)
pde _tube(E = 10.0, nu = 0.3, p = 1.0) on _section {
  unknown u : vector P2
  div(x*axisymmetric_stress(u, E, nu, x)) - hoop_pull(u, E, nu, x) == 0
  on left: dot(x*axisymmetric_stress(u, E, nu, x), n) == x*(p, 0)
  on right: dot(x*axisymmetric_stress(u, E, nu, x), n) == 0
  on bottom, top { u.y == 0; dot(x*axisymmetric_stress(u, E, nu, x), n).x == 0 }
}
pde _rod(E = 10.0, nu = 0.3) on _section {
  unknown u : vector P2
  div(x*axisymmetric_stress(u, E, nu, x)) - hoop_pull(u, E, nu, x) == 0
  on top: dot(x*axisymmetric_stress(u, E, nu, x), n) == x*(0, 1)
  on bottom { u.y == 0; dot(x*axisymmetric_stress(u, E, nu, x), n).x == 0 }
  on left, right: dot(x*axisymmetric_stress(u, E, nu, x), n) == 0
}

test "a thick tube under pressure" {
  s = solve(_tube, mesh(_section, cells: [16, 4]))
  assert norm(s.u.x - tube_displacement(x, 1, 2, 1, 10, 0.3), Linf) < 2e-5
  assert norm(hoop_stress(s.u, 10, 0.3, x) - tube_hoop_stress(x, 1, 2, 1)) < 5e-3
  assert abs(hoop_stress(s.u, 10, 0.3, x)(1, 0.25) - 5/3) < 0.01
}
test "a ring pulled along its axis stays in uniaxial stress" {
  s = solve(_rod, mesh(_section, cells: [4, 2]))
  assert norm(s.u.y - y/10) < 1e-9 and norm(s.u.x + 0.3*x/10) < 1e-9
}
