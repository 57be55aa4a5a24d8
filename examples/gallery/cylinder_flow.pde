# G7.2 Flow past a cylinder, steady, Reynolds number 20.
#
# Data: the channel of the benchmark DFG 2D-1: 2.2 x 0.41, cylinder of radius 0.05 at (0.2, 0.2), mean inflow 0.2, viscosity 0.001.
# Qualification: reference, drag and lift coefficients 5.57953 and 0.010619 of Schaefer and Turek, 1996.
# Slow: `make verify` runs it.
import "qualify"
geometry channel {
  outer = rectangle(x: 0..2.2, y: 0..0.41)
  hole  = disk(center: (0.2, 0.2), radius: 0.05)
  shape = outer - hole
  boundary inlet = outer.left
  boundary walls = outer.top + outer.bottom
}
pde flow(mu = 1e-3) on channel {
  unknown u : vector P2
  unknown p : scalar P1
  field sigma = mu*grad(u) - p*I
  equation u: dot(u, grad(u)) == div(sigma)
  equation p: div(u) == 0
  on inlet: u == (1.2*y*(0.41 - y)/0.41^2, 0)
  on walls, hole: u == 0
  on outer.right: dot(sigma, n) == 0
}
sol = solve(flow, mesh(channel, h: 0.04, size: near(hole, 0.003, within: 0.06)))
(drag, lift) = -flux(sol.u, hole)
by_reference("G7.2 cylinder, flow", "drag coefficient", abs(500*drag/5.57953 - 1), 2e-3)
by_reference("G7.2 cylinder, flow", "lift coefficient", abs(500*lift - 0.010619), 5e-4)
check sol against flux_balance(sol, velocity: u), divergence_free(sol, velocity: u), no_slip(sol, u, part: hole)
plot(sol.u, "cylinder_flow.png", title: "Speed, Reynolds number 20")
export(sol, "cylinder_flow.vtu")
