# G5.5 Nonlinear diffusion in a sphere.
#
# Data: radius 1, k = exp(u), source 6 exp(0.5), u = 0.5 on the surface.
# Qualification: reference by Kirchhoff's transformation: exp(u) = exp(0.5) (2 - r^2).
import "qualify"
geometry ball = sphere(center: (0, 0, 0), radius: 1)
pde nonlinear on ball {
  unknown u : scalar P2
  field k(s) = exp(s)
  -div(k(u)*grad(u)) == 6*exp(0.5)
  on all: u == 0.5
}
m = mesh(ball, h: 0.25)
sol = solve(nonlinear, m)
field theta = exp(0.5)*(2 - x^2 - y^2 - z^2)
by_reference("G5.5 sphere, nonlinear", "exp(u) in L2", norm(exp(sol.u) - theta)/norm(theta, on: m), 2e-2)
check sol against residual(sol), balance(sol)
plot(sol.u, "sphere_nonlinear.png", slice: [0, 0, 1, 0], title: "Nonlinear diffusion in a sphere, section")
export(sol, "sphere_nonlinear.vtu")
