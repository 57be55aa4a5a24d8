# E7. Transient reaction and diffusion with a cubic sink on an annulus: the field 0.3 + 0.3 x, which its source keeps.
#
# Accepted: relative L2 error at most 1e-7. P1 holds the field, but not its cube: the source is the cube, integrated with the same
# quadrature, so that nothing is left.
import "fields"

geometry ring = annulus(center: (0, 0), inner: 0.4, outer: 1)
field exact = 0.3 + 0.3*x
pde reaction on ring {
  unknown u : scalar P1
  dt(u) - 0.2*lap(u) + u^3 == exact^3
  on outer: u == exact
  on inner: dot(0.2*grad(u), n) == dot(0.2*grad(exact), n)
  initially: u == exact
}
sol = solve(reaction, mesh(ring, h: 0.08), time: 0..0.5, step: 0.05, scheme: backward_euler)
export(sol, "E07.vtu")
check sol against affine_field_nonlinear(sol, u, exact), equilibrium_kept(sol, u, exact)
