# Flow around a cylinder in a channel: the benchmark DFG 2D-1 at Reynolds number 20.
#
# Shows: Navier-Stokes by Newton, a mesh finer at the body, forces by reactions, pressure at points.
# Comes out: c_D = 5.58, c_L = 0.0106, pressure difference 0.1175, as in Schaefer and Turek, 1996 (5.57953, 0.010619, 0.11752).

geometry channel {
  outer = rectangle(x: 0..2.2, y: 0..0.41)
  hole  = disk(center: (0.2, 0.2), radius: 0.05)
  shape = outer - hole
  boundary inlet = outer.left
  boundary walls = outer.top + outer.bottom
}
pde flow(rho = 1.0, mu = 1e-3, U = 0.3) on channel {
  unknown u : vector P2
  unknown p : scalar P1
  field sigma = mu*grad(u) - p*I
  equation u: rho*dot(u, grad(u)) == div(sigma)
  equation p: div(u) == 0
  on inlet: u == (4*U*y*(0.41 - y)/0.41^2, 0)
  on walls, hole: u == 0
  on outer.right: dot(sigma, n) == 0
}

m = mesh(channel, h: 0.04, size: near(hole, 0.003, within: 0.06))
sol = solve(flow, m, rtol: 1e-10)
(drag, lift) = -flux(sol.u, hole)         # n points out of the fluid, into the body
D = 0.1; mean_speed = 0.2
c_D = 2*drag/(mean_speed^2*D); c_L = 2*lift/(mean_speed^2*D)
dp = sol.p(0.15, 0.2) - sol.p(0.25, 0.2)
print(f"c_D = {c_D:.4f}, c_L = {c_L:.5f}, dp = {dp:.5f}")
assert abs(c_D - 5.57954) < 0.005 and abs(c_L - 0.010619) < 3e-4 and abs(dp - 0.11752) < 5e-4
check sol against flux_balance(sol, velocity: u), divergence_free(sol, velocity: u), no_slip(sol, u, part: hole)
plot(sol.u, "cylinder.png", title: "speed at Re 20")
