# G2.3 Diffusion in a perforated plate.
#
# Data: 2 x 1 with 4 x 2 holes of radius 0.12, u = 1 at the left, 0 at the right, insulated elsewhere.
# Qualification: refinement of the flux through the plate, and its balance.
import "qualify"
geometry plate = perforated(x: 0..2, y: 0..1, holes: (4, 2), radius: 0.12)
pde diffusion on plate {
  unknown u : scalar P2
  lap(u) == 0
  on left: u == 1
  on right: u == 0
  on others: dot(grad(u), n) == 0
}
m = mesh(plate, h: 0.12)
a = solve(diffusion, m); b = solve(diffusion, refined(m)); c = solve(diffusion, refined(refined(m)))
by_refinement("G2.3 perforated plate, diffusion", "flux", [flux(a.u, right), flux(b.u, right), flux(c.u, right)], 2, 5e-3)
check c against residual(c), balance(c), maximum_principle(c)
plot(c.u, "perforated.png", contours: 14, title: "Diffusion in a perforated plate")
export(c, "perforated.vtu")
