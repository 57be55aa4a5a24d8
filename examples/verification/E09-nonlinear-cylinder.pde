# E9. Nonlinear Poisson in a cylinder, conductivity 1 + u^2: the field 0.5 + 0.5 x.
#
# Accepted: relative L2 error at most 1e-7. The iteration starts from zero.
import "fields"

geometry drum = cylinder(base: (0, 0, 0), axis: (0, 0, 1), radius: 0.5, height: 1)
field exact = 0.5 + 0.5*x
pde diffusion on drum {
  unknown u : scalar P1
  -div((1 + u^2)*grad(u)) == -div((1 + exact^2)*grad(exact))
  on wall: u == exact
  on top, bottom: dot((1 + u^2)*grad(u), n) == 0
}
sol = solve(diffusion, mesh(drum, h: 0.15))
export(sol, "E09.vtu")
check sol against affine_field_nonlinear(sol, u, exact)
