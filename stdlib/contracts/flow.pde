## Contracts of models of incompressible flow: what predicted velocities and pressures must satisfy.
##
## Known without an import; names, floors and tolerances as in contracts/heat. Stresses and fluxes are fields in the outputs and inputs of the map,
## `stress: mu*grad(u) - p*I`; n points out of the fluid, so the force on a body is the integral of -dot(stress, n) over it. Sources: Batchelor, An
## Introduction to Fluid Dynamics, 1967, sections 3.3, 3.4, 4.2, 4.6 and 4.7; Happel and Brenner, Low Reynolds Number Hydrodynamics, 1983, chapter 3.

# --- mass ---

## [FL-DIV] The velocity has no divergence, relative to its gradient; the floor is a hundredth of the typical gradient. Tolerance 5e-2: one derivative.
contract divergence_free(m: model, velocity: field) {
  probe z in domain(m)
  f = m(z)
  violation = norm(div(evaluate(velocity, f)))/max(norm(grad(evaluate(velocity, f))), 1e-2*scale(m, of: grad(velocity)))
  tolerance = 0.05
}

## [FL-FLUX] What flows in flows out, relative to the sum of both; where less than a hundredth of what is typical passes, relative to that. Tolerance 1e-2: an integral.
contract flux_balance(m: model, velocity: output) {
  probe z in domain(m)
  v = m(z)[velocity]
  passing = integral(abs(dot(v, n)), on: all)
  floor = 1e-2*largest(m, of: velocity)*measure(m, on: all)
  violation = abs(integral(dot(v, n), on: all))/max(passing, floor)
  tolerance = 1e-2
}

## [FL-SECT] The same flux through every cross-section of a channel of constant width: `section_flux(m, through: u.x, along: x, begin: 0.5, end: 3)`. The
## mean of `through` over three slices between `begin` and `end` is compared, (max - min)/mean. Tolerance 2e-2: an integral.
contract section_flux(m: model, through: field, along: field, begin, end) {
  needs begin < end else "the sections lie in a line"
  probe z in domain(m)
  f = m(z)
  s = evaluate((along - begin)/(end - begin), f)
  q = evaluate(through, f)
  first = max(0, 1 - (6*s - 1)^2)^2
  second = max(0, 1 - (6*s - 3)^2)^2
  third = max(0, 1 - (6*s - 5)^2)^2
  a = integral(first*q)/integral(first)
  b = integral(second*q)/integral(second)
  c = integral(third*q)/integral(third)
  violation = (max(a, b, c) - min(a, b, c))/max(abs(a + b + c)/3, 1e-2*largest(m, of: through))
  tolerance = 2e-2
}

# --- walls, symmetry ---

## [FL-NS] The fluid sticks to a wall and does not pass it: the mean of the velocity there, relative to its typical size in the fluid. Tolerance 1e-2.
contract no_slip(m: model, velocity: output, part: boundary) {
  probe z in domain(m)
  size = scale(m, of: velocity)/sqrt(measure(m))
  violation = norm(m(z)[velocity], on: part)/(size*sqrt(measure(m, on: part)))
  tolerance = 1e-2
}

## [FL-SYM] A symmetric body in a stream along x, which no wall disturbs on one side only, has drag and no lift: |lift|/|drag|. Below vortex shedding.
## The floor is a hundredth of the largest stress on its surface. Tolerance 5e-2: learned.
contract no_lift(m: model, stress: field, part: boundary) {
  probe z in domain(m)
  force = integral(dot(evaluate(stress, m(z)), n), on: part)
  floor = 1e-2*largest(m, of: stress)*measure(m, on: part)
  violation = abs(force.y)/max(abs(force.x), floor)
  tolerance = 0.05
}

# --- pressure, similarity ---

## [FL-GAUGE] Only differences of pressure act: more at the outlet is as much more everywhere and moves nothing. `outlet` is the input that prescribes the
## pressure there, `step` how much more of its range. Tolerance 5e-2: learned; 1e-9 where it is built in.
contract pressure_gauge(m: model, pressure: output, velocity: output, outlet: input, step = 0.5) {
  change = step*(upper(m, outlet) - lower(m, outlet))
  probe z in domain(m) where z[outlet] + change <= upper(m, outlet)
  raised = z with (outlet: z[outlet] + change)
  f = m(z)
  g = m(raised)
  size = change*sqrt(measure(m))
  violation = max(norm(g[pressure] - f[pressure] - change)/size, norm(g[velocity] - f[velocity])/scale(m, of: velocity))
  tolerance = 0.05
}

## [FL-STK] The Stokes limit: without inertia velocity and pressure are linear in what drives the flow. `reynolds` is the largest of the map's.
contract stokes_linearity(m: model, loads: inputs, reynolds = 0.0) {
  needs reynolds < 0.1 else "the flow has inertia"
  probe z, w in domain(m)
  a = z with (loads: z[loads]/2)
  b = z with (loads: w[loads]/2)
  c = z with (loads: (z[loads] + w[loads])/2)
  violation = norm(m(c) - m(a) - m(b))/max(norm(m(c)), 1e-2*scale(m))
  tolerance = 0.05
}

## [FL-RE] Reynolds similarity: density and viscosity in one ratio leave the velocity alone, where velocities are prescribed. Tolerance 1e-3: only a network's own
## rounding of it is excused. Skipped where no other density and viscosity in that ratio are admissible.
contract reynolds_similarity(m: model, velocity: output, density: input, viscosity: input) {
  needs lower(m, density) > 0 and lower(m, viscosity) > 0 else "a density or viscosity is not positive"
  probe z, w in domain(m) where z[density]*w[viscosity] <= upper(m, density)*z[viscosity] and z[density]*w[viscosity] >= lower(m, density)*z[viscosity]
  c = w[viscosity]/z[viscosity]
  similar = z with (density: c*z[density], viscosity: w[viscosity])
  v = m(z)[velocity]
  violation = norm(m(similar)[velocity] - v)/max(norm(v), 1e-2*scale(m, of: velocity))
  tolerance = 1e-3
}

# --- momentum, energy ---

## [FL-MOM] In a steady flow without body forces the force on a body is what the other boundaries of the fluid lose of momentum:
## `momentum_control_volume(m, flux: mu*grad(u) - p*I - rho*outer(u, u), part: body)`, the difference of both relative to their sum. Tolerance 1e-1: one derivative.
contract momentum_control_volume(m: model, flux: field, part: boundary) {
  probe z in domain(m)
  q = dot(evaluate(flux, m(z)), n)
  body = integral(q, on: part)
  total = integral(q, on: all)
  size = sqrt(body.x^2 + body.y^2) + sqrt((total.x - body.x)^2 + (total.y - body.y)^2)
  violation = sqrt(total.x^2 + total.y^2)/max(size, 1e-2*largest(m, of: flux)*measure(m, on: part))
  tolerance = 0.1
}

## [FL-DIS] In a steady flow what is dissipated is not negative, and is the power that enters: `dissipation(m, rate: mu*inner(grad(u), grad(u)), power:
## dot(mu*grad(u) - p*I, u) - rho/2*dot(u, u)*u)`. Tolerance 5e-2: one derivative in an integral.
contract dissipation(m: model, rate: field, power: field) {
  probe z in domain(m)
  f = m(z)
  heat = integral(evaluate(rate, f))
  work = integral(dot(evaluate(power, f), n), on: all)
  size = max(abs(heat) + abs(work), 1e-2*largest(m, of: rate)*measure(m))
  violation = max(abs(work - heat), -heat)/size
  tolerance = 0.05
}

## [FL-POIS] The developed profile: `developed_profile(m, u, u == (4*g*y*(1 - y), 0), part: right)`, on a section far from the inlet. Tolerance 2e-2.
contract developed_profile(m: model, velocity: output, profile: condition, part: boundary) {
  probe z in domain(m)
  f = m(z)
  violation = norm(residual(profile, f), on: part)/max(norm(f[velocity], on: part), 1e-2*scale(m, on: part, of: velocity))
  tolerance = 2e-2
}

# --- packs ---

## Incompressible steady flow: hard are the balance of fluxes, the walls and the divergence; the gauge of pressure, Reynolds similarity and the balance
## of momentum are remarks. `flux` is stress less the flux of momentum, `outlet` the input that is the pressure at the outlet.
contracts incompressible_flow(m: model, velocity: output, pressure: output, gradient_of: field, flux: field, walls: boundary, body: boundary, outlet: input, density: input, viscosity: input) {
  hard flux_balance(m, velocity)
  hard no_slip(m, velocity, walls)
  hard divergence_free(m, gradient_of)
  hard non_trivial(m)
  soft pressure_gauge(m, pressure, velocity, outlet)
  soft reynolds_similarity(m, velocity, density, viscosity)
  soft momentum_control_volume(m, flux, body)
}

## [FL-STK] A flow without inertia: linear in what drives it, turned by the other sign, and reciprocal (Lorentz): the traction `stress*n` of one flow works on the velocity of another on
## `part`, where the velocities are prescribed, as that of the other on it.
contracts stokes_flow(m: model, velocity: output, loads: inputs, traction: field, part: boundary) {
  hard stokes_linearity(m, loads: loads)
  hard non_trivial(m)
  soft sign_reversal(m, loads: loads)
  soft reciprocity(m, velocity, loads: loads, traction: traction, part: part)
}

# --- witnesses ---

# A channel from a parabolic inlet to an outlet of a given pressure: Poiseuille's flow, which P2 and P1 contain. Its lower half-wall is the body.
geometry _channel = rectangle(x: 0..2, y: 0..1)
pde _flow(g = 1.0, o = 0.0, mu = 1.0, rho = 1.0) on _channel {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: rho*dot(u, grad(u)) == div(mu*grad(u) - p*I)
  equation p: div(u) == 0
  on left: u == (g*y*(1 - y), 0)
  on top, bottom: u == 0
  on right: dot(mu*grad(u) - p*I, n) == (-o, 0)
}
map _duct {
  input g in 1..1.001, o in 0..1, mu in 0.5..1, rho in 0.1..1
  output u, p from solve(_flow(g, o, mu, rho), mesh(_channel, cells: [4, 3]))
}
model _poiseuille(g, o, mu, rho) for _duct { u = (g*y*(1 - y), 0); p = o + 2*mu*g*(2 - x) }
model _gains(g, o, mu, rho) for _duct { u = (g*y*(1 - y)*(1 + 0.1*x), 0); p = o + 2*mu*g*(2 - x) }
model _widens(g, o, mu, rho) for _duct { u = (g*y*(1 - y)*(1 + 0.4*x), 0); p = o + 2*mu*g*(2 - x) }
model _slips(g, o, mu, rho) for _duct { u = (g*(y*(1 - y) + 0.01), 0); p = 0.6*o + 2*mu*g*(2 - x) }
model _quick(g, o, mu, rho) for _duct { u = (1.03*g*y*(1 - y), 0.1*o*g*y*(1 - y)); p = o + 4*mu*g*(2 - x) }
model _inertial(g, o, mu, rho) for _duct { u = (g*y*(1 - y)*(1 + 0.1*rho), 0); p = 2*g*(2 - x) }
model _falls(g, o, mu, rho) for _duct { u = (g*y*(1 - y), 0); p = o - 2*mu*g*(2 - x) }

pde _slow(g = 1.0, o = 0.0) on _channel {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: div(grad(u) - p*I) == 0
  equation p: div(u) == 0
  on left: u == (g*y*(1 - y), 0)
  on top, bottom: u == 0
  on right: dot(grad(u) - p*I, n) == (-o, 0)
}
map _creep {
  input g in 0..1, o in 0..1
  output u, p from solve(_slow(g, o), mesh(_channel, cells: [4, 4]))
}
model _creeping(g, o) for _creep { u = (g*y*(1 - y), 0); p = o + 2*g*(2 - x) }
model _thinning(g, o) for _creep { u = ((g + o)^2*y*(1 - y), 0); p = 0*x }

test "divergence_free" {
  accept divergence_free(_poiseuille, velocity: u)
  # div = 0.1 y (1 - y), du/dy = (1 - 2 y)(1 + 0.1 x): mean squares 0.01/30 and 1.2133/3
  accept divergence_free(_gains, velocity: u) v 0.0287
  reject divergence_free(_widens, velocity: u) v 0.0888
  accept divergence_free(_duct, velocity: u)
}
test "flux_balance" {
  accept flux_balance(_poiseuille, velocity: u)
  reject flux_balance(_gains, velocity: u) v 0.2/2.2
}
test "section_flux" {
  accept section_flux(_poiseuille, through: u.x, along: x, begin: 0, end: 2)
  # middles of the slices at 1/3, 1 and 5/3
  reject section_flux(_gains, through: u.x, along: x, begin: 0, end: 2) v 0.4/3/1.1 within 0.05
}
test "no_slip" {
  accept no_slip(_poiseuille, velocity: u, part: top)
  # 0.01 of sqrt(1/30)
  reject no_slip(_slips, velocity: u, part: top) v 0.01*sqrt(30)
}
test "no_lift" {
  accept no_lift(_poiseuille, stress: dot(u, u)*I, part: left)
  reject no_lift(_poiseuille, stress: u.x*((1, 0), (0.1, 1)), part: left) v 0.1
  reject no_lift(_poiseuille, stress: u.x*((1, 0), (-0.1, 1)), part: left) v 0.1
}
test "pressure_gauge" {
  accept pressure_gauge(_poiseuille, pressure: p, velocity: u, outlet: o)
  reject pressure_gauge(_slips, pressure: p, velocity: u, outlet: o) v 0.4
  reject pressure_gauge(_quick, pressure: p, velocity: u, outlet: o) v 0.05
}
test "stokes_linearity" {
  accept stokes_linearity(_creeping, loads: [g, o])
  # answers to the square of the load: (c^2 - a^2 - b^2)/c^2 with a = b = c/2 is a half
  reject stokes_linearity(_thinning, loads: [g, o]) v 0.5 within 0.1
}
test "reynolds_similarity" {
  accept reynolds_similarity(_poiseuille, velocity: u, density: rho, viscosity: mu)
  # 0.1 (c - 1) rho of 1 + 0.1 rho, at most with rho = 0.5 and c = 2
  reject reynolds_similarity(_inertial, velocity: u, density: rho, viscosity: mu) v 0.0476 within 0.35
}
test "momentum_control_volume" {
  accept momentum_control_volume(_poiseuille, flux: mu*grad(u) - p*I - rho*outer(u, u), part: bottom)
  # walls and pressure pull alike: (-2 mu g, P) on the bottom and (-6 mu g, -P) elsewhere, where P = 2 o - 4 mu g may be 0
  reject momentum_control_volume(_falls, flux: mu*grad(u) - p*I - rho*outer(u, u), part: bottom) v 1 within 0.04
}
test "dissipation" {
  accept dissipation(_poiseuille, rate: mu*inner(grad(u), grad(u)), power: dot(mu*grad(u) - p*I, u) - rho/2*dot(u, u)*u)
  # twice the pressure drop: all the power is 2/3 g^2, of which 1/3 is dissipated
  reject dissipation(_falls, rate: mu*inner(grad(u), grad(u)), power: dot(mu*grad(u) - p*I, u) - rho/2*dot(u, u)*u) v 1
  reject dissipation(_poiseuille, rate: -mu*inner(grad(u), grad(u)), power: -dot(mu*grad(u) - p*I, u)) v 0.5
}
test "developed_profile" {
  accept developed_profile(_poiseuille, u, u == (g*y*(1 - y), 0), part: right)
  reject developed_profile(_quick, u, u == (g*y*(1 - y), 0.1*o*g*y*(1 - y)), part: right) v 0.0291
}
# Driven by a lid and by an inlet: what the walls pull at, of two flows.
test "stokes_flow" {
  accept stokes_flow(_creeping, u, loads: [g, o], traction: dot(grad(u) - p*I, n), part: left + right)
  reject stokes_flow(_thinning, u, loads: [g, o], traction: dot(grad(u) - p*I, n), part: left + right)
}
test "incompressible_flow" {
  accept incompressible_flow(_poiseuille, u, p, u, flux: mu*grad(u) - p*I - rho*outer(u, u), walls: top, body: bottom, outlet: o, density: rho, viscosity: mu)
  reject incompressible_flow(_slips, u, p, u, flux: mu*grad(u) - p*I - rho*outer(u, u), walls: top, body: bottom, outlet: o, density: rho, viscosity: mu)
}
