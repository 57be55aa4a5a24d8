# G2.5 Advection and diffusion in a rectangle.
#
# Data: 2 x 1, velocity (2, 1), k = 0.05; inflow sides carry exp(-20 (y - 0.3)^2) at the left and that value at y = 0 at the bottom, outflow free.
# Qualification: refinement of what leaves through the right side, and balance.
import "qualify"
geometry duct = rectangle(x: 0..2, y: 0..1)
pde transport(k = 0.05) on duct {
  unknown c : scalar P2
  dot((2, 1), grad(c)) == div(k*grad(c))
  on left: c == exp(-20*(y - 0.3)^2)
  on bottom: c == exp(-20*0.09)
  on right: dot(k*grad(c), n) == 0
  on top: dot(k*grad(c), n) == 0
}
fn outflow(s) = integral(2*s.c, on: right)
m = mesh(duct, cells: [24, 12])
a = solve(transport, m); b = solve(transport, refined(m)); c = solve(transport, refined(refined(m)))
by_refinement("G2.5 advection-diffusion", "outflow at the right", [outflow(a), outflow(b), outflow(c)], 2, 1e-3)
check c against residual(c)
plot(c.c, "advection_diffusion.png", title: "Advection and diffusion, velocity (2, 1)")
export(c, "advection_diffusion.vtu")
