# Known answers: incompressible flow. Poiseuille's flow in a channel, which the elements contain, and models that are wrong by a known part of it.

geometry channel = rectangle(x: 0..2, y: 0..1)
pde flow(g = 1.0, o = 0.0, mu = 1.0, rho = 1.0) on channel {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: rho*dot(u, grad(u)) == div(mu*grad(u) - p*I)
  equation p: div(u) == 0
  on left: u == (g*y*(1 - y), 0)
  on top, bottom: u == 0
  on right: dot(mu*grad(u) - p*I, n) == (-o, 0)
}
map duct {
  input g in 1..1.0001, o in 0..1, mu in 0.5..0.50005, rho in 0.1..0.10001
  output u, p from solve(flow(g, o, mu, rho), mesh(channel, cells: [4, 3]))
}
model poiseuille(g, o, mu, rho) for duct { u = (g*y*(1 - y), 0); p = o + 2*mu*g*(2 - x) }
model gains(g, o, mu, rho) for duct { u = (g*y*(1 - y)*(1 + 0.1*x), 0); p = o + 2*mu*g*(2 - x) }
model widens(g, o, mu, rho) for duct { u = (g*y*(1 - y)*(1 + 0.4*x), 0); p = o + 2*mu*g*(2 - x) }
model slips(g, o, mu, rho) for duct { u = (g*(y*(1 - y) + 0.01), 0); p = 0.6*o + 2*mu*g*(2 - x) }
model skewed(g, o, mu, rho) for duct { u = (1.03*g*y*(1 - y), 0*o); p = o + 4*mu*g*(2 - x) }
model inertial(g, o, mu, rho) for duct { u = (g*y*(1 - y)*(if rho < 0.100005 then 1 else 1.1), 0*o); p = 2*g*(2 - x) }
model falls(g, o, mu, rho) for duct { u = (g*y*(1 - y), 0); p = o - 2*mu*g*(2 - x) }
model trickles(g, o, mu, rho) for duct { u = (0*g, 1e-6*y); p = 0*o }
model dead(g, o, mu, rho) for duct { u = (0*g, 0*o); p = 0*o }

test "FL-DIV" {
  accept divergence_free(poiseuille, velocity: u)
  accept divergence_free(duct, velocity: u)
  # div = 0.1 y (1 - y), du/dy = (1 - 2 y)(1 + 0.1 x): the roots of 0.01/30 and 0.01/30 + 1.2133/3; with 0.4 of 0.16/30 and 2.0133/3
  accept divergence_free(gains, velocity: u) v sqrt(0.01/30/(0.01/30 + 3.64/9))
  reject divergence_free(widens, velocity: u) v sqrt(0.16/30/(0.16/30 + 6.04/9))
  accept divergence_free(dead, velocity: u) v 0
}
test "FL-FLUX" {
  accept flux_balance(poiseuille, velocity: u)
  # 1 in and 1.2 out
  reject flux_balance(gains, velocity: u) v 0.2/2.2
  accept flux_balance(dead, velocity: u) v 0
  # 1e-6 out of the top, 2 long, from nowhere: over a hundredth of the largest velocity, 1/4, on a boundary of 6
  accept flux_balance(trickles, velocity: u) v 2e-6/(1e-2*0.25*6)
}
test "FL-SECT" {
  accept section_flux(poiseuille, through: u.x, along: x, begin: 0, end: 2)
  # slices about 1/3, 1 and 5/3
  reject section_flux(gains, through: u.x, along: x, begin: 0, end: 2) v 0.4/3/1.1 within 0.05
  accept section_flux(dead, through: u.x, along: x, begin: 0, end: 2) v 0
  skip section_flux(poiseuille, through: u.x, along: x, begin: 2, end: 1)
}
test "FL-NS" {
  accept no_slip(poiseuille, velocity: u, part: top)
  # 0.01 of 1/sqrt(30)
  reject no_slip(slips, velocity: u, part: top) v 0.01*sqrt(30)
  accept no_slip(dead, velocity: u, part: top) v 0
}
test "FL-SYM" {
  accept no_lift(poiseuille, stress: dot(u, u)*I, part: left)
  reject no_lift(poiseuille, stress: u.x*((1, 0), (0.1, 1)), part: left) v 0.1
  reject no_lift(poiseuille, stress: u.x*((1, 0), (-0.1, 1)), part: left) v 0.1
  accept no_lift(dead, stress: dot(u, u)*I, part: left) v 0
}
test "FL-GAUGE" {
  accept pressure_gauge(poiseuille, pressure: p, velocity: u, outlet: o)
  # 0.6 of what the outlet is raised by; none of it
  reject pressure_gauge(slips, pressure: p, velocity: u, outlet: o) v 0.4
  reject pressure_gauge(dead, pressure: p, velocity: u, outlet: o) v 1
}
test "FL-RE" {
  accept reynolds_similarity(poiseuille, velocity: u, density: rho, viscosity: mu)
  # density and viscosity in one ratio, on both sides of the step
  reject reynolds_similarity(inertial, velocity: u, density: rho, viscosity: mu) v 0.1
  accept reynolds_similarity(dead, velocity: u, density: rho, viscosity: mu) v 0
}
test "FL-MOM" {
  accept momentum_control_volume(poiseuille, flux: mu*grad(u) - p*I - rho*outer(u, u), part: bottom)
  # the bottom pulls with mu g/..., the ends push nothing: a flux of 1 through the bottom alone, and none elsewhere
  reject momentum_control_volume(poiseuille, flux: (1 - y)*[[0, 1], [0, 1]] + 0*p*I, part: bottom) v 1
  accept momentum_control_volume(dead, flux: mu*grad(u) - p*I - rho*outer(u, u), part: bottom) v 0
}
test "FL-DIS" {
  accept dissipation(poiseuille, rate: mu*inner(grad(u), grad(u)), power: dot(mu*grad(u) - p*I, u) - rho/2*dot(u, u)*u)
  # the pressure of the wrong sign takes what is dissipated: -2/3 of mu g^2 in place of 2/3
  reject dissipation(falls, rate: mu*inner(grad(u), grad(u)), power: dot(mu*grad(u) - p*I, u) - rho/2*dot(u, u)*u) v 1
  reject dissipation(poiseuille, rate: -mu*inner(grad(u), grad(u)), power: -dot(mu*grad(u) - p*I, u)) v 0.5
  accept dissipation(dead, rate: mu*inner(grad(u), grad(u)), power: dot(mu*grad(u) - p*I, u)) v 0
}
test "FL-POIS" {
  accept developed_profile(poiseuille, u, u == (g*y*(1 - y), 0), part: right)
  # 0.03 of 1.03
  reject developed_profile(skewed, u, u == (g*y*(1 - y), 0), part: right) v 0.03/1.03
  reject developed_profile(dead, u, u == (g*y*(1 - y), 0), part: right) v 100
}

# --- without inertia ---

pde slow(g = 1.0, o = 0.0) on channel {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: div(grad(u) - p*I) == 0
  equation p: div(u) == 0
  on left: u == (g*y*(1 - y), 0)
  on top, bottom: u == 0
  on right: dot(grad(u) - p*I, n) == (-o, 0)
}
map creep {
  input g in 0..1, o in 0..1
  output u, p from solve(slow(g, o), mesh(channel, cells: [4, 4]))
}
model creeping(g, o) for creep { u = (g*y*(1 - y), 0); p = o + 2*g*(2 - x) }
model thinning(g, o) for creep { u = ((g + o)^2*y*(1 - y), 0); p = 0*x }
model asleep(g, o) for creep { u = (0*g, 0*o); p = 0*o }

test "FL-STK" {
  accept stokes_linearity(creep, loads: [g, o])
  accept stokes_linearity(creeping, loads: [g, o])
  # of the square of a sum that doubles a half is missing; sampled, where the halves are all but equal
  reject stokes_linearity(thinning, loads: [g, o]) v 0.5 within 0.02
  accept stokes_linearity(asleep, loads: [g, o]) v 0
  skip stokes_linearity(creeping, loads: [g, o], reynolds: 1)
  accept stokes_flow(creeping, u, loads: [g, o], traction: dot(grad(u) - p*I, n), part: left + right)
  # linear, and answers to nothing: NONTRIV
  reject stokes_flow(asleep, u, loads: [g, o], traction: dot(grad(u) - p*I, n), part: left + right) v 1
}
