# The solver itself under audit: an elastic square on rollers, its load, stiffness and Poisson ratio drawn from their ranges.
#
# A map says which inputs the fields belong to; contracts say what must hold for all of them. Every probe is a solve.
import "mechanics/elasticity"

geometry square = rectangle(x: 0..1, y: 0..1)
pde stretched(fx = 0.1, fy = 0.1, E = 10.0, nu = 0.25) on square {
  unknown u : vector P1
  div(plane_stress(u, E, nu)) == 0
  on top:    dot(plane_stress(u, E, nu), n) == (fx, fy)
  on bottom: u.y == 0
  on bottom: dot(plane_stress(u, E, nu), n).x == 0
  on right:  u.x == 0
  on right:  dot(plane_stress(u, E, nu), n).y == 0
  on left:   dot(plane_stress(u, E, nu), n) == 0
}
map elastic {
  input fx in -0.3..0.3, fy in -0.3..0.3, E in 5..20, nu in 0.15..0.35
  output u from solve(stretched(fx, fy, E, nu), mesh(square, cells: [8, 8]))
}

## More load moves it further: the work of the load is not negative.
contract positive_work(m: model, fx: input, fy: input, part: boundary) {
  probe z in domain(m)
  u = m(z)
  work = integral(dot((z[fx], z[fy]), u), on: part)
  size = integral(abs((z[fx], z[fy]))*abs(u), on: part)
  violation = max(0, -work)/max(size, 1e-12)
  tolerance = 1e-3
}
contracts linear_elastic(m: model) {
  hard superposition(m, loads: [fx, fy])
  hard scaling(m, input: E, power: -1)
  hard trace(m, u.x == 0, part: right)   tol 1e-6
  hard trace(m, u.y == 0, part: bottom)  tol 1e-6
  hard positive_work(m, fx, fy, part: top)
}
v = audit elastic against linear_elastic { samples: 8; seed: 7 }
assert v.passed

# One of its solutions, by hand.
one = elastic(fx: 0.1, fy: 0.2, E: 10, nu: 0.3)
print(f"the corner moves by {norm(one.u, Linf):.4f} at most")
