# G3.1 Nonlinear diffusion in a disk.
#
# Data: radius 1, k = 1 + u^2, source 1, u = 0 at the rim.
# Qualification: reference by Kirchhoff's transformation: u + u^3/3 = (1 - r^2)/4.
import "qualify"
geometry dish = disk(center: (0, 0), radius: 1)
pde nonlinear on dish {
  unknown u : scalar P2
  field k(s) = 1 + s^2
  -div(k(u)*grad(u)) == 1
  on rim: u == 0
}
sol = solve(nonlinear, mesh(dish, h: 0.05))
field theta = (1 - x^2 - y^2)/4
by_reference("G3.1 disk, nonlinear", "u + u^3/3 in L2", norm(sol.u + sol.u^3/3 - theta)/norm(theta, on: dish), 2e-3)
check sol against residual(sol), positivity(sol), balance(sol)
plot(sol.u, "disk_nonlinear.png", title: "Nonlinear diffusion, k = 1 + u^2")
export(sol, "disk_nonlinear.vtu")
