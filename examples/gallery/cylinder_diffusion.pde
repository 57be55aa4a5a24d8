# G5.1 Diffusion in a cylinder.
#
# Data: radius 0.5, height 2, u = z at the wall and the ends: u = z everywhere, plus a harmonic x y.
# Qualification: reference, z + x y.
import "qualify"
geometry rod = cylinder(radius: 0.5, height: 2)
field w = z + x*y
pde diffusion on rod {
  unknown u : scalar P2
  lap(u) == 0
  on all: u == w
}
m = mesh(rod, h: 0.2)
sol = solve(diffusion, m)
by_reference("G5.1 cylinder, diffusion", "u in L2", norm(sol.u - w)/norm(w, on: m), 1e-3)
check sol against residual(sol), balance(sol), maximum_principle(sol)
plot(sol.u, "cylinder_diffusion.png", title: "Diffusion in a cylinder")
export(sol, "cylinder_diffusion.vtu")
