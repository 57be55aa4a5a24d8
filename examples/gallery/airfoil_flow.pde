# G7.1 Flow past an airfoil, steady, Reynolds number 200.
#
# Data: NACA 0012 of chord 1 at an angle of attack of 0.1, in -2..4 x -2..2, speed 1 at the inlet and the sides, viscosity 0.005.
# Qualification: drag and lift on two meshes, the second of half the size at the body.
# Slow: `make verify` runs it.
import "qualify"
geometry tunnel = flow_around(airfoil("0012", angle: 0.1), x: -2..4, y: -2..2)
pde flow(mu = 0.005) on tunnel {
  unknown u : vector P2
  unknown p : scalar P1
  field sigma = mu*grad(u) - p*I
  equation u: dot(u, grad(u)) == div(sigma)
  equation p: div(u) == 0
  on inlet, farfield: u == (1, 0)
  on airfoil: u == 0
  on outlet: dot(sigma, n) == 0
}
fn run(h, fine) = solve(flow, mesh(tunnel, h: h, size: near(airfoil, fine, within: 0.2)))
a = run(0.3, 0.02); b = run(0.25, 0.01)
(drag, lift) = -2*flux(b.u, airfoil)
(drag_a, lift_a) = -2*flux(a.u, airfoil)
print(f"drag {drag_a:.4f}, {drag:.4f}; lift {lift_a:.4f}, {lift:.4f}; {a.dofs} and {b.dofs} unknowns")
by_reference("G7.1 airfoil, flow", "drag coefficient on two meshes", abs(drag_a/drag - 1), 2e-2)
by_reference("G7.1 airfoil, flow", "lift coefficient on two meshes", abs(lift_a/lift - 1), 3e-2)
check b against flux_balance(b, velocity: u), no_slip(b, u, part: airfoil)
plot(b.u, "airfoil_flow.png", title: "Speed past NACA 0012, Reynolds number 200")
export(b, "airfoil_flow.vtu")
