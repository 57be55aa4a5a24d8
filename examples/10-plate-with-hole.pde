# Stress concentration at a hole in a pulled plate.
#
# Shows: shapes of the library, symmetry by rollers, a mesh graded towards the rim, stresses at points.
# Comes out: the stress at the rim is 3.05 times the pull; Kirsch's infinite plate gives 3, Heywood's formula for this width 3.04.

import "mechanics/elasticity"
import "geometry/pieces"

E = 70e3; nu = 0.33; pull = 100.0; W = 20.0; r = 1.0
geometry plate = quarter_plate(2*W, W, r)

pde tension on plate {
  unknown u : vector P2
  div(plane_stress(u, E, nu)) == 0
  on left { u.x == 0; dot(plane_stress(u, E, nu), n).y == 0 }
  on bottom { u.y == 0; dot(plane_stress(u, E, nu), n).x == 0 }
  on right: dot(plane_stress(u, E, nu), n) == (pull, 0)
  on others: dot(plane_stress(u, E, nu), n) == 0
}

m = mesh(plate, h: 0.8, size: near(rim, 0.03, within: 0.5))
sol = solve(tension, m)
s = plane_stress(sol.u, E, nu)
at_rim = s[0, 0]
factor = at_rim(0, r)/pull
narrow = 2*r/W                                        # Peterson's Stress Concentration Factors, chart 4.1, on the gross section
heywood = (2 + (1 - narrow)^3)/(1 - narrow)
print(f"stress concentration {factor:.3f}; infinite plate 3, this width {heywood:.3f}")
print(f"at the side of the hole {s[1, 1](r, 0)/pull:.3f}, infinite plate -1")
assert abs(factor/heywood - 1) < 0.02
check sol against reaction_balance(sol, u), traction_free(sol, s, part: rim)
plot(von_mises_plane_stress(s), "plate.png", title: "von Mises stress, pull 100")
