# G10.1 A solid wing that bends under its lift.
#
# Data: NACA 2412, span 3, chord 1, taper 0.5, sweep 0.3, E = 1000, nu = 0.3, root clamped, body force (0, 0, 0.01).
# Qualification: the work of the load on two meshes, the second eight times finer in cells.
# Slow: `make verify` runs it.
import "qualify"
import "mechanics/elasticity"
E = 1000.0; nu = 0.3
geometry plane = wing("2412", span: 3, chord: 1, taper: 0.5, sweep: 0.3)
pde bending on plane {
  unknown u : vector P2
  -div(stress(u, E, nu)) == (0, 0, 0.01)
  on root: u == 0
  on others: dot(stress(u, E, nu), n) == 0
}
m = mesh(plane, h: 0.16)
a = solve(bending, m); b = solve(bending, refined(m))
fn work(s) = 0.01*integral(s.u.z)
print(f"work of the load {work(a):.6g}, {work(b):.6g}; {a.dofs} and {b.dofs} unknowns")
by_reference("G10.1 wing, elasticity", "work of the load on two meshes", abs(work(a)/work(b) - 1), 5e-2)
check b against residual(b), reaction_balance(b, u)
plot(von_mises(stress(b.u, E, nu)), "wing_elasticity.png", deform: b.u, title: "Von Mises stress in a bent wing")
export(b, "wing_elasticity.vtu")
