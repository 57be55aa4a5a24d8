# G5.4 Diffusion in a sphere.
#
# Data: radius 1, source 6, u = 0 on the surface.
# Qualification: reference, 1 - r^2.
import "qualify"
geometry ball = sphere(center: (0, 0, 0), radius: 1)
pde diffusion on ball {
  unknown u : scalar P2
  -lap(u) == 6
  on all: u == 0
}
sol = solve(diffusion, mesh(ball, h: 0.25))
field exact = 1 - x^2 - y^2 - z^2
by_reference("G5.4 sphere, diffusion", "u in L2", norm(sol.u - exact)/norm(sol.u), 4e-2)
check sol against residual(sol), positivity(sol), balance(sol)
plot(sol.u, "sphere_diffusion.png", slice: [0, 0, 1, 0], title: "Diffusion in a sphere, section")
export(sol, "sphere_diffusion.vtu")
