# E5. Poisson on an annulus: the field 0.4 + 0.4 x, prescribed on the outer circle, its flux on the inner.
#
# The normal of a mesh with straight sides is that of its polygon, for which the affine field is exact too.
# Accepted: relative L2 error at most 1e-9.
import "fields"

geometry ring = annulus(center: (0, 0), inner: 0.4, outer: 1)
field exact = 0.4 + 0.4*x
pde poisson on ring {
  unknown u : scalar P1
  -lap(u) == 0
  on outer: u == exact
  on inner: dot(grad(u), n) == dot(grad(exact), n)
}
sol = solve(poisson, mesh(ring, h: 0.06))
export(sol, "E05.vtu")
check sol against affine_field(sol, u, exact), balance(sol)
