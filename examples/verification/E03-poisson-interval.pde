# E3. Poisson on an interval of length 2.257 with a conductivity that varies: the field 1.2 + 1.2 x.
#
# The paper's attempt was blocked before it solved: boundary, initial or source data conflicted with the request, lacked expressions or could
# not be traced to it. Accepted: relative L2 error at most 1e-9.
import "fields"

geometry rod = interval(0, 2.257)
field exact = 1.2 + 1.2*x
field k = 1 + 0.5*x
pde poisson on rod {
  unknown u : scalar P1
  -div(k*grad(u)) == -div(k*grad(exact))
  on left: u == exact
  on right: dot(k*grad(u), n) == dot(k*grad(exact), n) + 3*(exact - u)
}
sol = solve(poisson, mesh(rod, cells: [64]))
export(sol, "E03.vtu")
check sol against affine_field(sol, u, exact), balance(sol)
