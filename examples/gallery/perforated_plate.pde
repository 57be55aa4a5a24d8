# G9.2 A perforated plate pulled at one end, plane stress.
#
# Data: 2 x 1 with 3 x 2 holes of radius 0.12, E = 70, nu = 0.33, clamped at the left, traction (1, 0) at the right.
# Qualification: refinement of the work of the load.
import "qualify"
import "mechanics/elasticity"
E = 70.0; nu = 0.33
geometry plate = perforated(x: 0..2, y: 0..1, holes: (3, 2), radius: 0.12)
pde tension on plate {
  unknown u : vector P2
  div(plane_stress(u, E, nu)) == 0
  on left: u == 0
  on right: dot(plane_stress(u, E, nu), n) == (1, 0)
  on others: dot(plane_stress(u, E, nu), n) == 0
}
m = mesh(plate, h: 0.14)
a = solve(tension, m); b = solve(tension, refined(m)); c = solve(tension, refined(refined(m)))
fn work(s) = integral(s.u.x, on: right)
by_refinement("G9.2 perforated plate, elasticity", "work of the load", [work(a), work(b), work(c)], 1.3, 5e-3)
check c against residual(c), reaction_balance(c, u)
plot(von_mises_plane_stress(plane_stress(c.u, E, nu)), "perforated_plate.png", deform: c.u, title: "Von Mises stress, pull 1")
export(c, "perforated_plate.vtu")
