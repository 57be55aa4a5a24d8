# E10. Poisson in a ball: the field 0.8 + 0.8 x, prescribed on the sphere.
#
# Accepted: relative L2 error at most 1e-9.
import "fields"

geometry ball = sphere(center: (0, 0, 0), radius: 0.6)
field exact = 0.8 + 0.8*x
pde poisson on ball {
  unknown u : scalar P1
  -lap(u) == 0
  on all: u == exact
}
sol = solve(poisson, mesh(ball, h: 0.12))
export(sol, "E10.vtu")
check sol against affine_field(sol, u, exact), balance(sol), maximum_principle(sol)
