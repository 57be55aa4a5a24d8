# E12. Transient reaction and diffusion in a ball, with a linear and a cubic sink: the field 0.35 + 0.35 x, which its source keeps.
#
# The paper's attempt was blocked before it solved: boundary, initial or source data conflicted with the request, lacked expressions or could
# not be traced to it. Accepted: relative L2 error at most 1e-7.
import "fields"

geometry ball = sphere(center: (0, 0, 0), radius: 0.5)
field exact = 0.35 + 0.35*x
fn sink(u) = 0.4*u + u^3
pde reaction on ball {
  unknown u : scalar P1
  dt(u) - 0.1*lap(u) + sink(u) == sink(exact)
  on all: u == exact
  initially: u == exact
}
sol = solve(reaction, mesh(ball, h: 0.15), time: 0..0.4, step: 0.05, scheme: crank_nicolson)
export(sol, "E12.vtu")
check sol against affine_field_nonlinear(sol, u, exact), equilibrium_kept(sol, u, exact)
