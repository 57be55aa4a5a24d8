# G9.1 A cantilever plate under an end load, plane stress.
#
# Data: 4 x 1, E = 1000, nu = 0.3, clamped at the left, shear of total 1 at the right.
# Qualification: reference, the tip deflection of Timoshenko's beam, 0.2624, to 1 %; refinement of the stored energy.
import "qualify"
import "mechanics/elasticity"
E = 1000.0; nu = 0.3
geometry plate = rectangle(x: 0..4, y: 0..1)
pde cantilever on plate {
  unknown u : vector P2
  div(plane_stress(u, E, nu)) == 0
  on left: u == 0
  on right: dot(plane_stress(u, E, nu), n) == (0, -1)
  on others: dot(plane_stress(u, E, nu), n) == 0
}
m = mesh(plate, cells: [16, 4])
a = solve(cantilever, m); b = solve(cantilever, refined(m)); c = solve(cantilever, refined(refined(m)))
beam = cantilever_tip(1, 4, E, 1/12) + cantilever_shear(1, 4, E/2.6, 1)
fn energy(s) = integral(energy_density(plane_stress(s.u, E, nu), s.u))
by_reference("G9.1 cantilever plate", "tip against beam theory", abs(-c.u.y(4, 0.5)/beam - 1), 1e-2)
by_refinement("G9.1 cantilever plate", "stored energy", [energy(a), energy(b), energy(c)], 1.2, 1e-3)
check c against residual(c), reaction_balance(c, u), work_energy(c, u, stress: plane_stress(c.u, E, nu), force: (0, 0))
plot(von_mises_plane_stress(plane_stress(c.u, E, nu)), "cantilever_plate.png", deform: c.u, title: "Von Mises stress")
export(c, "cantilever_plate.vtu")
