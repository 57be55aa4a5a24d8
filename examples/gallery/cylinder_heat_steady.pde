# G5.2 A cylinder with a source, cooled at its wall, steady.
#
# Data: radius 0.5, height 1, k = 2, source 8; u = 0 at the wall, insulated ends.
# Qualification: reference, (0.25 - r^2) up to the polygonal wall, by refinement towards it.
import "qualify"
geometry rod = cylinder(radius: 0.5, height: 1)
pde conduction on rod {
  unknown u : scalar P2
  -div(2*grad(u)) == 8
  on wall: u == 0
  on others: dot(2*grad(u), n) == 0
}
sol = solve(conduction, mesh(rod, h: 0.12))
field exact = 0.25 - x^2 - y^2
by_reference("G5.2 cylinder, steady heat", "u in L2", norm(sol.u - exact)/norm(sol.u), 2e-2)
by_reference("G5.2 cylinder, steady heat", "heat through the wall against the source", imbalance(sol.u), 1e-9)
check sol against residual(sol), positivity(sol), balance(sol)
plot(sol.u, "cylinder_heat_steady.png", slice: [0, 0, 1, 0.5], title: "Cylinder with a source, section")
export(sol, "cylinder_heat_steady.vtu")
