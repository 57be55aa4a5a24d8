## Contracts of models over time: energy, momentum, arrival, delay and superposition of histories, for elastodynamics and other linear evolutions.
##
## Known without an import, as those in models.pde; probes, scale(m) and the floor are as there. Stresses, densities and lifts are fields of the map's outputs and
## inputs: `stress: plane_stress(u, 10, 0.25)`. Velocities and accelerations are differences of the predicted states, of second order in the step of the
## map's times: what takes them has 1e-1.

# --- histories ---

## [ED-CAUS] Causality at a quarter, a half and three quarters of the time, of any predictor that promises it: as causality, with the largest of the three.
## Tolerance 1e-9: every path from the input is a causal convolution (1e-4 in single precision: tol).
contract strict_causality(m: model) {
  needs has_histories(m) else "no input is a function of time"
  probe p, q in domain(m)
  start = times(m)[0]
  worst = 0
  for part in [0.25, 0.5, 0.75] {
    s = start + part*duration(m)
    r = splice(p, q, at: s)
    worst = max(worst, norm(m(p) - m(r), until: s)/max(norm(m(p), until: s), 1e-2*scale(m)))
  }
  violation = worst
  tolerance = 1e-9
}

## [TSHIFT] Histories that come later give the same answer later, for systems that do not change and start at rest: ||u(a(. - s))(t) - u(a)(t - s)|| / ||u(a)||, s
## so many steps of the map's times. Histories begin at 0. Tolerance 5e-2: learned.
contract time_shift(m: model, steps = 3) {
  needs has_histories(m) else "no input is a function of time"
  needs 0 < steps < len(times(m)) - 1 else "the shift leaves the times of the map"
  probe p in domain(m)
  s = times(m)[steps] - times(m)[0]
  late = delayed(m, by: s)
  violation = norm(m(shift(p, s)) - late(p))/max(norm(m(p)), 1e-2*scale(m))
  tolerance = 0.05
}

## [ED-CONV] The answer is what answers to unit steps add up to (Duhamel): ||u(a) - sum (a[k] - a[k-1]) h(t - t[k])|| / ||u(a)||. Linearity, time shift and causality in one
## check, for histories that begin at 0. Tolerance 5e-2: learned.
contract impulse_response(m: model) {
  needs has_histories(m) else "no input is a function of time"
  probe p in domain(m)
  summed = step_sum(m)
  violation = norm(m(p) - summed(p))/max(norm(m(p)), 1e-2*scale(m))
  tolerance = 0.05
}

## [RECIP-D] Dynamic reciprocity (Graffi, 1946): integral of ta(t) ub(T - t) over time and `part` equals that of tb(t) ua(T - t), relative to the sum of their sizes.
## Linear, from rest, tractions are inputs. Tolerance 5e-2: learned.
contract dynamic_reciprocity(m: model, u: output, traction: field, part: boundary) {
  needs has_histories(m) else "no input is a function of time"
  probe p, q in domain(m)
  back = backwards(m)
  ab = integral(dot(evaluate(traction, m(p)), back(q)[u]), on: part)
  ba = integral(dot(evaluate(traction, m(q)), back(p)[u]), on: part)
  violation = abs(ab - ba)/max(abs(ab) + abs(ba), 1e-4*scale(m, of: traction, on: part)*scale(m, of: u, on: part))
  tolerance = 0.05
}

# --- waves ---

## [ED-CONE] Nothing arrives before a wave can: the largest |q| where distance > speed*(time passed) + margin, relative to the largest that the map itself shows.
## `finite_speed(m, u, distance: 1 - x, speed: plate_speed(E, nu, rho), margin: 0.1)`, distance from where the body is driven, margin some three cells.
## Stronger than causality. Tolerance 2e-2: what a mesh smears.
contract finite_speed(m: model, q: field, distance: field, speed: field, margin: real) {
  needs duration(m) > 0 else "the model has no time"
  probe z in domain(m)
  f = m(z)
  reach = evaluate(speed, f)*(t - times(m)[0]) + margin
  early = if evaluate(distance, f) > reach then abs(evaluate(q, f)) else 0*abs(evaluate(q, f))
  violation = max(early)/largest(m, of: q)
  tolerance = 2e-2
}

## [ED-EN] Kinetic and strain energy are the work done at the boundary: max |K + U - W| / max (|W| + U) over the quarters of the time. The work is taken
## consistently, by virtual work: `lift` is 1 where the body is driven and 0 where it is held, and the power of the driven part is that of
## inertia and stress on lift*v. Exact up to interpolation for a Galerkin solution. Tolerance 1e-1: velocities are differences.
contract energy_balance(m: model, u: output, stress: field, density: field, lift: field) {
  needs duration(m) > 0 else "the model has no time"
  probe z in domain(m)
  f = m(z)
  sigma = evaluate(stress, f)
  rho = evaluate(density, f)
  phi = evaluate(lift, f)
  v = dt(f[u])
  power = phi*(rho*dot(dtt(f[u]), v) + inner(sigma, grad(v))) + dot(dot(sigma, grad(phi)), v)
  strain = inner(sigma, grad(f[u]))/2
  energy = rho*dot(v, v)/2 + strain
  off = 0
  size = 0
  for part in [0.25, 0.5, 0.75, 1] {
    s = times(m)[0] + part*duration(m)
    work = integral(power, until: s)
    off = max(off, abs(integral(energy at s) - work))
    size = max(size, abs(work) + integral(strain at s))
  }
  floor = 1e-4*scale(m, of: stress)*scale(m, of: u)*measure(m, on: all)/(measure(m)*duration(m))
  violation = off/max(size, floor)
  tolerance = 0.1
}

## [ED-DEC] Energy does not grow after driving stops: max over later times of E(t2)/E(t1) - 1, t1 two steps after `after`, from which on the histories of the map are
## constant (probes whose histories are not are left out). Tolerance 2e-2: velocities are differences, averaged over the body.
contract no_growth(m: model, u: output, stress: field, density: field, after: real) {
  needs duration(m) > 0 else "the model has no time"
  probe p in domain(m)
  needs distance(p, held(p, at: after)) < 1e-6 else "it is driven after that time"
  f = m(p)
  v = dt(f[u])
  energy = (evaluate(density, f)*dot(v, v) + inner(evaluate(stress, f), grad(f[u])))/2
  s = after + 2*duration(m)/(len(times(m)) - 1)
  later = history(integral(energy))
  violation = max(later, from: s)/max(integral(energy at s), 1e-4*max(later)) - 1
  tolerance = 2e-2
}

## [ED-MOM] Momentum in a direction changes by the tractions on the whole boundary: ||dP/dt - R|| / (||dP/dt|| + ||R||), norms over time. Tractions are by the gradient of the
## prediction. Tolerance 1e-1: derivatives.
contract momentum_balance(m: model, u: output, stress: field, density: field, direction: field) {
  needs duration(m) > 0 else "the model has no time"
  probe z in domain(m)
  f = m(z)
  d = evaluate(direction, f)
  rate = history(integral(evaluate(density, f)*dot(dtt(f[u]), d)))
  force = history(integral(dot(dot(evaluate(stress, f), n), d), on: all))
  floor = 1e-2*scale(m, of: stress, on: all)
  violation = sqrt(integral((rate - force)^2))/max(sqrt(integral(rate^2)) + sqrt(integral(force^2)), floor)
  tolerance = 0.1
}

## [ED-QS] Driven slowly, the body is at rest in all but name: with a history that rises to its last value as 3 s^2 - 2 s^3 (s = t/T), the last state is the static field for that
## value, ||u(T) - static|| / ||static||. Needs a time of more than ten traversals, `traversal` the time that a wave takes through the body. Tolerance 5e-2.
contract quasi_static(m: model, driven: input, static: field, traversal: real) {
  needs duration(m) > 10*traversal else "the time is too short for a slow ramp"
  probe z in domain(m)
  s = (t - times(m)[0])/duration(m)
  slow = z with (driven: (z[driven] at times(m)[-1])*(3*s^2 - 2*s^3))
  last = m(slow) at times(m)[-1]
  rest = evaluate(static, last)
  violation = norm(last - rest)/max(norm(rest), 1e-2*scale(m)/sqrt(duration(m)))
  tolerance = 0.05
}

# --- a pack ---

## Linear elastodynamics from rest, driven by histories on one part and held or free elsewhere: `audit m against elastodynamic(m, u, loads: [ux, uy], driven: u ==
## (ux, uy), part: right, distance: 0.5 - x, speed: plate_speed(10, 0.25, 1), margin: 0.1, stress: plane_stress(u, 10, 0.25), density: 1, lift: x + 0.5)`. Hard are superposition,
## homogeneity, no answer to nothing, the first state, the driven values and causality; soft the sign, the time of arrival, energy, time shift, amplitude.
contracts elastodynamic(m: model, u: output, loads: inputs, driven: condition, part: boundary, start: condition, distance: field, speed: field, margin: real,
  stress: field, density: field, lift: field) {
  hard superposition(m, loads: loads)
  hard homogeneity(m, loads: loads)
  hard zero_response(m, loads: loads)
  hard initial_state(m, start)
  hard trace_history(m, driven, part: part)
  hard causality(m)
  soft sign_reversal(m, loads: loads)
  soft finite_speed(m, u, distance: distance, speed: speed, margin: margin)
  soft energy_balance(m, u, stress: stress, density: density, lift: lift)
  soft time_shift(m)
  soft amplitude_bound(m, u)
}

# --- witnesses: a strip that is pulled at its right end; waves have speed 1 ---

geometry _strip = rectangle(x: 0..1, y: 0..0.1)
_m = mesh(_strip, cells: [12, 1])
pde _wave(g = 0.0, f = 0.0) on _strip {
  unknown u : vector P1
  dtt(u) == div(eps(u)) + (f, 0)
  on left: u == 0
  on right: u == (g, 0)
  on top, bottom: dot(eps(u), n) == 0
  initially: u == 0
  initially: dt(u) == 0
}
map _rod {
  input g(t) from bank [t^3, t^4, t^3*(1 - t)]
  output u(t) from solve(_wave(g), _m, time: 0..1.5, step: 0.075)
}
map _plucked {
  input g(t) from bank [if t < 0.5 then t^3*(0.5 - t)^3*100 else 0*t]
  output u(t) from solve(_wave(g), _m, time: 0..1.5, step: 0.075)
}
map _slow {
  input g(t) from bank [t, t^2/10]
  output u(t) from solve(_wave(g), mesh(_strip, cells: [4, 1]), time: 0..30, step: 0.5)
}
pde _tugged(h = 0.0) on _strip {
  unknown u : vector P1
  dtt(u) == div(eps(u))
  on left: u == 0
  on right: dot(eps(u), n) == (h, 0)
  on top, bottom: dot(eps(u), n) == 0
  initially: u == 0
  initially: dt(u) == 0
}
map _tug {
  input h(t) from bank [t^2, t^3, t^2*(1 - t)]
  output u(t) from solve(_tugged(h), _m, time: 0..1.5, step: 0.075)
}
model _tires(h) for _tug { u = (h*x/(1 + t), 0) }
# Answers at once; from before and after; with a part that does not scale; to a force on all of the body.
model _instant(g) for _rod { u = (10*g*x, 0) }
model _follows(g) for _rod { u = (g*x + 0.5*(g at (t - 0.3))*x^2, 0) }
model _foresees(g) for _rod { u = ((g at (t + 0.15))*x, 0) }
model _ages(g) for _rod { u = (g*x*t, 0) }
model _bent(g) for _rod { u = (g*abs(g)*x, 0) }
model _grows(g) for _plucked { u = (x*(1 - x)*exp(t), 0) }
model _rests(g) for _plucked { u = (x*(1 - x)*exp(-t), 0) }
model _static(g) for _slow { u = (g*x, 0) }
model _loose(g) for _slow { u = (1.1*g*x, 0) }

test "histories" {
  accept strict_causality(_follows)
  reject strict_causality(_foresees) v 17 within 0.3
  accept time_shift(_follows)
  reject time_shift(_ages) v 0.169 within 0.3
  accept impulse_response(_follows)
  accept impulse_response(_rod)
  reject impulse_response(_bent) v 42 within 0.3
  reject impulse_response(_foresees)
  accept dynamic_reciprocity(_tug, u, traction: (h, 0), part: right)
  reject dynamic_reciprocity(_tires, u, traction: (h, 0), part: right) v 1 within 0.3
}
test "waves" {
  accept finite_speed(_rod, u, distance: 1 - x, speed: 1, margin: 0.25)
  reject finite_speed(_instant, u, distance: 1 - x, speed: 1, margin: 0.25) v 0.061 within 0.3
  accept energy_balance(_rod, u, stress: eps(u), density: 1, lift: x)
  reject energy_balance(_instant, u, stress: eps(u), density: 1, lift: x) v 0.214 within 0.3
  accept momentum_balance(_rod, u, stress: eps(u), density: 1, direction: (1, 0))
  reject momentum_balance(_instant, u, stress: eps(u), density: 1, direction: (1, 0)) v 1
}
test "rest" {
  accept no_growth(_rests, u, stress: eps(u), density: 1, after: 0.525)
  reject no_growth(_grows, u, stress: eps(u), density: 1, after: 0.525) v 4.2 within 0.3
  accept quasi_static(_static, g, static: (g*x, 0), traversal: 1)
  accept quasi_static(_slow, g, static: (g*x, 0), traversal: 1)
  reject quasi_static(_loose, g, static: (g*x, 0), traversal: 1) v 0.1
}
