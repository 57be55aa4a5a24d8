# E11. Transient reaction and diffusion with a cubic sink in a box: the field 0.25 + 0.25 x, which its source keeps.
#
# Accepted: relative L2 error at most 1e-7.
import "fields"

geometry block = box(x: 0..1, y: 0..0.8, z: 0..0.6)
field exact = 0.25 + 0.25*x
pde reaction on block {
  unknown u : scalar P1
  dt(u) - 0.5*lap(u) + u^3 == exact^3
  on x_min, x_max: u == exact
  on others: dot(0.5*grad(u), n) == 0
  initially: u == exact
}
sol = solve(reaction, mesh(block, cells: [10, 8, 6]), time: 0..0.4, step: 0.05, scheme: crank_nicolson)
export(sol, "E11.vtu")
check sol against affine_field_nonlinear(sol, u, exact), equilibrium_kept(sol, u, exact)
