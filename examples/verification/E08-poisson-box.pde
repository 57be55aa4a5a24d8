# E8. Poisson on a box: the zero field between insulated and held sides.
#
# Accepted: L2 norm at most 1e-10.
import "fields"

geometry block = box(x: 0..1.1, y: 0..0.7, z: 0..0.5)
pde poisson on block {
  unknown u : scalar P1
  -lap(u) == 0
  on x_min, x_max: u == 0
  on others: dot(grad(u), n) == 0
}
sol = solve(poisson, mesh(block, cells: [22, 14, 10]))
export(sol, "E08.vtu")
check sol against zero_field(sol, u)
