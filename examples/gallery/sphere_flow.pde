# G8.2 Flow past a sphere, steady, Reynolds number 20, a quarter of the field.
#
# Data: sphere of radius 0.5 at the origin in the box -2..4 x 0..2 x 0..2 with symmetry planes y = 0 and z = 0, speed 1 at the inlet and the outer
# sides, viscosity 0.05.
# Qualification: refinement of the drag; the blockage of the box raises it above the 2.7 of an unbounded stream.
# Slow: `make verify` runs it.
import "qualify"
geometry tunnel {
  outer = box(x: -2..4, y: 0..2, z: 0..2)
  ball  = sphere(center: (0, 0, 0), radius: 0.5)
  shape = outer - ball
}
pde flow(mu = 0.05) on tunnel {
  unknown u : vector P2
  unknown p : scalar P1
  field sigma = mu*grad(u) - p*I
  equation u: dot(u, grad(u)) == div(sigma)
  equation p: div(u) == 0
  on outer.x_min: u == (1, 0, 0)
  on outer.y_max, outer.z_max: u == (1, 0, 0)
  on ball: u == 0
  on outer.y_min { u.y == 0; dot(sigma, n).x == 0; dot(sigma, n).z == 0 }
  on outer.z_min { u.z == 0; dot(sigma, n).x == 0; dot(sigma, n).y == 0 }
  on outer.x_max: dot(sigma, n) == 0
}
fn run(h, near_h) = solve(flow, mesh(tunnel, h: h, size: near(ball, near_h, within: 0.3)))
fn drag(s) = -4*flux(s.u, ball)[0]/(0.5*pi*0.25)
a = run(0.8, 0.2); b = run(0.6, 0.14)
print(f"drag coefficient {drag(a):.4f}, {drag(b):.4f}, {a.dofs} and {b.dofs} unknowns")
by_reference("G8.2 sphere, flow", "drag coefficient on two meshes", abs(drag(a)/drag(b) - 1), 3e-2)
check b against flux_balance(b, velocity: u), no_slip(b, u, part: ball)
plot(b.u, "sphere_flow.png", slice: [0, 0, 1, 1e-6], title: "Speed past a sphere, Reynolds number 20")
export(b, "sphere_flow.vtu")
