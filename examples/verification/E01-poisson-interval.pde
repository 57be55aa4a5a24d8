# E1. Poisson on an interval of length 1.340: the zero field.
#
# Nothing acts and both ends are held at 0. Accepted: L2 norm at most 1e-10.
import "fields"

geometry rod = interval(0, 1.340)
pde poisson on rod {
  unknown u : scalar P1
  -lap(u) == 0
  on all: u == 0
}
sol = solve(poisson, mesh(rod, cells: [64]))
export(sol, "E01.vtu")
check sol against zero_field(sol, u)
