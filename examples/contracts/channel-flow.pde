# Flow through a channel with a round obstacle, as a map, under the pack of incompressible flow.
#
# Shows: two outputs, a stress as an argument, contracts about forces and fluxes, what the pack leaves to the user: lift and sections.
# Comes out: the solver passes; a parabola that goes through the obstacle balances its fluxes all the same, and is rejected at the wall of the obstacle.

geometry duct {
  tunnel = rectangle(x: 0..3, y: 0..1)
  block = disk(center: (1, 0.5), radius: 0.15)
  shape = tunnel - block
}
pde flow(g = 1.0, o = 0.0, mu = 1.0, rho = 1.0) on duct {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: rho*dot(u, grad(u)) == div(mu*grad(u) - p*I)
  equation p: div(u) == 0
  on tunnel.left: u == (4*g*y*(1 - y), 0)
  on tunnel.right: dot(mu*grad(u) - p*I, n) == (-o, 0)
  on others: u == 0
}
m = mesh(duct, h: 0.3, size: near(block, 0.09, within: 0.15))
map duct_map {
  input g in 0.5..1, o in 0..1, mu in 0.5..1, rho in 0.1..1
  output u, p from solve(flow(g, o, mu, rho), m)
}
model parabola(g, o, mu, rho) for duct_map { u = (4*g*y*(1 - y), 0); p = o + 8*mu*g*(3 - x) }

contracts rules(m: model) {
  include incompressible_flow(m, u, p, u, flux: mu*grad(u) - p*I - rho*outer(u, u), walls: block, body: block, outlet: o, density: rho, viscosity: mu)
  soft dissipation(m, rate: mu*inner(grad(u), grad(u)), power: dot(mu*grad(u) - p*I, u) - rho/2*dot(u, u)*u)
  soft section_flux(m, through: u.x, along: x, begin: 1.2, end: 3)
  soft no_lift(m, stress: mu*grad(u) - p*I, part: block)
}
v = audit duct_map against rules { samples: 4; seed: 5 }
assert v.passed

test "a parabola through the block" {
  accept flux_balance(parabola, velocity: u)
  accept divergence_free(parabola, velocity: u)
  reject no_slip(parabola, velocity: u, part: block)
  reject rules(parabola)
}
