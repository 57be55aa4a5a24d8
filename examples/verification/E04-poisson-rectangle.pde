# E4. Poisson on a rectangle: the field 0.5 + 0.5 x between values and fluxes.
#
# Accepted: relative L2 error at most 1e-9.
import "fields"

geometry plate = rectangle(x: 0..1.6, y: 0..0.9)
field exact = 0.5 + 0.5*x
pde poisson on plate {
  unknown u : scalar P1
  -lap(u) == 0
  on left: u == 0.5
  on right: u == 1.3
  on others: dot(grad(u), n) == 0
}
sol = solve(poisson, mesh(plate, cells: [48, 27]))
export(sol, "E04.vtu")
check sol against affine_field(sol, u, exact), balance(sol), maximum_principle(sol)
