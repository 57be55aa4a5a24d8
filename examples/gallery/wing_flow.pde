# G8.1 Flow past half a wing, steady, Reynolds number 20.
#
# Data: NACA 0012, span 1, chord 1, taper 0.6, sweep 0.3, angle of attack 0.2, in -1.5..3 x 0..2 x -1.5..1.5, speed 1 around, viscosity 0.05,
# the root in a plane of symmetry.
# Qualification: drag and lift on two meshes.
# Slow: `make verify` runs it.
import "qualify"
geometry tunnel = flow_around(wing("0012", span: 1, chord: 1, taper: 0.6, sweep: 0.3, angle: 0.2), x: -1.5..3, y: 0..2, z: -1.5..1.5)
pde flow(mu = 0.05) on tunnel {
  unknown u : vector P2
  unknown p : scalar P1
  field sigma = mu*grad(u) - p*I
  equation u: dot(u, grad(u)) == div(sigma)
  equation p: div(u) == 0
  on inlet, farfield: u == (1, 0, 0)
  on wing: u == 0
  on symmetry { u.y == 0; dot(sigma, n).x == 0; dot(sigma, n).z == 0 }
  on outlet: dot(sigma, n) == 0
}
fn run(h, fine) = solve(flow, mesh(tunnel, h: h, size: near(wing, fine, within: 0.2)))
a = run(0.9, 0.2); b = run(0.75, 0.15)
fa = -2*flux(a.u, wing); fb = -2*flux(b.u, wing)
print(f"drag {fa[0]:.4f}, {fb[0]:.4f}; lift {fa[2]:.4f}, {fb[2]:.4f}; {a.dofs} and {b.dofs} unknowns")
by_reference("G8.1 wing, flow", "drag on two meshes", abs(fa[0]/fb[0] - 1), 4e-2)
by_reference("G8.1 wing, flow", "lift on two meshes", abs(fa[2]/fb[2] - 1), 6e-2)
check b against flux_balance(b, velocity: u), no_slip(b, u, part: wing)
plot(b.u, "wing_flow.png", slice: [0, 1, 0, 0.3], title: "Speed past a wing, section y = 0.3")
export(b, "wing_flow.vtu")
