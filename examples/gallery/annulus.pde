# G2.2 Diffusion through an annulus.
#
# Data: radii 0.4 and 1, u = 1 inside and 0 outside.
# Qualification: reference, log(r)/log(0.4), and the flux 2 pi/log(2.5).
import "qualify"
geometry ring = annulus(center: (0, 0), inner: 0.4, outer: 1)
pde diffusion on ring {
  unknown u : scalar P2
  lap(u) == 0
  on inner: u == 1
  on outer: u == 0
}
sol = solve(diffusion, mesh(ring, h: 0.05))
field exact = log(sqrt(x^2 + y^2))/log(0.4)
by_reference("G2.2 annulus", "u in L2", norm(sol.u - exact)/norm(sol.u), 2e-3)
by_reference("G2.2 annulus", "flux through the rim", abs(flux(sol.u, inner)*log(2.5)/(2*pi) - 1), 5e-3)
check sol against residual(sol), balance(sol), maximum_principle(sol)
plot(sol.u, "annulus.png", contours: 10, title: "Diffusion through an annulus")
export(sol, "annulus.vtu")
