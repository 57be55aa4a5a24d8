## A square under traction, audited in box mode: the solver itself against what linear elasticity demands of anyone who predicts its displacements. Top traction
## (fx, fy), rollers on the bottom and on the right, left edge free; loads, stiffness and Poisson's ratio vary.
import "mechanics/elasticity"
geometry square = rectangle(x: 0..1, y: 0..1)
pde loaded(fx = 0.1, fy = 0.1, E = 10, nu = 0.25) on square {
  unknown u : vector P1
  field sigma = plane_stress(u, E, nu)
  div(sigma) == 0
  on top: dot(sigma, n) == (fx, fy)
  on left: dot(sigma, n) == 0
  on right { u.x == 0; dot(sigma, n).y == 0 }
  on bottom { u.y == 0; dot(sigma, n).x == 0 }
}
map elastic_map {
  input fx in -0.3..0.3, fy in -0.3..0.3, E in 5..20, nu in 0.15..0.35
  output u from solve(loaded(fx, fy, E, nu), mesh(square, cells: [10, 10]))
}

contracts square_elastic(m: model) {
  include linear_elastic(m, u, loads: [fx, fy], stiffness: E, poisson: nu, traction: (fx, fy), part: top, stress: plane_stress(u, E, nu),
    first: u.x == 0, first_part: right, first_virtual: (1 - x, 0), second: u.y == 0, second_part: bottom, second_virtual: (0, y))
}
v = audit elastic_map against square_elastic { samples: 8; seed: 7 }
assert v.passed
