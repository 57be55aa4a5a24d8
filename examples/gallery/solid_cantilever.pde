# G10.2 A solid cantilever under an end load.
#
# Data: 2 x 0.4 x 0.4, E = 1000, nu = 0.3, clamped at x = 0, traction (0, 0, -0.01) at the end.
# Qualification: refinement of the tip deflection; beam theory with shear gives -0.00207.
import "qualify"
import "mechanics/elasticity"
E = 1000.0; nu = 0.3
geometry beam = box(x: 0..2, y: 0..0.4, z: 0..0.4)
pde cantilever on beam {
  unknown u : vector P2
  div(stress(u, E, nu)) == 0
  on x_min: u == 0
  on x_max: dot(stress(u, E, nu), n) == (0, 0, -0.01)
  on others: dot(stress(u, E, nu), n) == 0
}
fn run(k) = solve(cantilever, mesh(beam, cells: [5*k, k, k]))
a = run(1); b = run(2); c = run(4)
by_refinement("G10.2 solid cantilever", "tip deflection", [a.u.z(2, 0.2, 0.2), b.u.z(2, 0.2, 0.2), c.u.z(2, 0.2, 0.2)], 1.2, 1e-2)
beam_theory = cantilever_tip(0.0016, 2, E, 0.4^4/12) + cantilever_shear(0.0016, 2, E/2.6, 0.16)
by_reference("G10.2 solid cantilever", "tip against beam theory", abs(-c.u.z(2, 0.2, 0.2)/beam_theory - 1), 2e-2)
check c against residual(c), reaction_balance(c, u)
plot(von_mises(stress(c.u, E, nu)), "solid_cantilever.png", deform: c.u, title: "Von Mises stress")
export(c, "solid_cantilever.vtu")
