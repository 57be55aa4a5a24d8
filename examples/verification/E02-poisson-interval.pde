# E2. Poisson on an interval of length 2.153: the field 0.7 + 0.7 x between a value and a flux.
#
# Accepted: relative L2 error at most 1e-9.
import "fields"

geometry rod = interval(0, 2.153)
field exact = 0.7 + 0.7*x
pde poisson on rod {
  unknown u : scalar P1
  -lap(u) == 0
  on left: u == exact
  on right: dot(grad(u), n) == 0.7
}
sol = solve(poisson, mesh(rod, cells: [64]))
export(sol, "E02.vtu")
check sol against affine_field(sol, u, exact), balance(sol)
