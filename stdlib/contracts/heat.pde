## Contracts of models of heat conduction and diffusion: what predicted temperatures and concentrations must satisfy.
##
## Known without an import, as those of contracts/models and contracts/general. `u` names the output; a `field` is an expression in the outputs and inputs of
## the map, `flux: k*grad(T)`. scale and largest are sizes of the map's own fields, never of the candidate; a hundredth of them is the floor of
## a denominator, so that near zero data ask for no more than one per cent of what is typical. Tolerances: 1e-3 for signs and orders, which
## only round-off and interpolation excuse; 1e-2 and 2e-2 for integrals, where errors average; 5e-2 for what a model learned; 5e-2 and more
## for what a derivative of the prediction enters, which costs an order of h. The tests hold witnesses whose violations are known.
## Sources: Evans, Partial Differential Equations, 2010, sections 2.2, 2.3 and 7.1; Protter and Weinberger, Maximum Principles in
## Differential Equations, 1967.

# --- order: maximum principle, comparison, sign ---

## [HT-MAX] No value beyond the data: low <= u <= high, bounds that boundary and initial values give, in terms of the inputs:
## `maximum_principle(m, T, low: 0, high: T_hot)`. Where a source heats, high is none; leave a large number there. Relative to high - low.
contract maximum_principle(m: model, u: output, low: field, high: field) {
  probe z in domain(m)
  f = m(z)
  lowest = evaluate(low, f)
  highest = evaluate(high, f)
  violation = max(0, max(f[u] - highest), max(lowest - f[u]))/max(max(highest - lowest), 1e-2*largest(m, of: u))
  tolerance = 1e-3
}

## [HT-CMP] Comparison: more at the boundary, in the body or at the start gives more everywhere, other inputs equal. `data` is an input that
## the solution grows with; of histories the smaller and the larger at each time are compared. Relative to the largest size of the field.
contract comparison(m: model, u: output, data: input) {
  probe z, w in domain(m)
  less = z with (data: min(z[data], w[data]))
  more = z with (data: max(z[data], w[data]))
  violation = max(0, max(m(less)[u] - m(more)[u]))/largest(m, of: u)
  tolerance = 1e-3
}

## [HT-POS] A concentration or absolute temperature is nowhere negative, relative to its largest size.
contract heat_positivity(m: model, u: output) {
  probe z in domain(m)
  violation = max(0, -min(m(z)[u]))/largest(m, of: u)
  tolerance = 1e-3
}

# --- decay ---

## [HT-L1] Contraction: the distances integral(|u - w|) and max |u - w| of two solutions with the same boundary data never exceed those of their initial states.
## `start` are inputs that only the initial state depends on.
contract contraction(m: model, u: output, start: inputs) {
  needs duration(m) > 0 else "the model has no time"
  probe z, w in domain(m)
  other = z with (start: w[start])
  d = abs(m(z)[u] - m(other)[u])
  first = d at times(m)[0]
  floor = 1e-2*largest(m, of: u)
  total = max(history(integral(d)))/max(integral(first), floor*measure(m))
  most = max(history(max(d)))/max(max(first), floor)
  violation = max(0, max(total, most) - 1)
  tolerance = 1e-2
}

## [HT-DEC] Without sources and with homogeneous data the energy integral(u^2) never grows from one time to the next, relative to its first
## value. Skipped where histories drive the body.
contract energy_decay(m: model, u: output) {
  needs duration(m) > 0 else "the model has no time"
  needs not has_histories(m) else "histories drive the body"
  probe z in domain(m)
  f = m(z)[u]
  first = f at times(m)[0]
  floor = 1e-2*scale(m, of: u)^2/duration(m)
  violation = largest_rise(history(integral(f^2)))/max(integral(first^2), floor)
  tolerance = 1e-3
}

## [HT-OSC] The oscillation max - min never grows without sources, between insulated walls or walls of one temperature.
contract oscillation_decay(m: model, u: output) {
  needs duration(m) > 0 else "the model has no time"
  needs not has_histories(m) else "histories drive the body"
  probe z in domain(m)
  f = m(z)[u]
  first = f at times(m)[0]
  violation = largest_rise(history(max(f) - min(f)))/max(max(first) - min(first), 1e-2*largest(m, of: u))
  tolerance = 1e-3
}

# --- balances ---

## [HT-CONS] An insulated body without sources keeps its content integral(u).
contract conservation(m: model, u: output) {
  needs duration(m) > 0 else "the model has no time"
  probe z in domain(m)
  f = m(z)[u]
  first = f at times(m)[0]
  start = integral(first)
  violation = max(history(abs(integral(f) - start)))/max(abs(start), 1e-2*largest(m, of: u)*measure(m))
  tolerance = 1e-2
}

## [HT-BAL] What is gained comes through the boundary: integral(gain) = integral(dot(flux, n), on: all), at each time, relative to the sum of
## the sizes of both. For dt(T) == div(k*grad(T)) + q: `balance(m, gain: dt(T) - q, flux: k*grad(T))`; where nothing depends on time, gain: -q.
## The flux is that of the predicted gradient, one order of h less accurate than the values.
contract balance(m: model, gain: field, flux: field) {
  probe z in domain(m)
  f = m(z)
  g = evaluate(gain, f)
  q = dot(evaluate(flux, f), n)
  size = norm(history(integral(abs(g)))) + norm(history(integral(abs(q), on: all)))
  violation = norm(history(integral(g) - integral(q, on: all)))/size
  tolerance = 0.05
}

# --- similarity, mean value, limits ---

## [HT-SCAL] Parabolic scaling: lengths by l and times by l^2 leave the equation alone; in a body of fixed size, half the diffusivity in twice the
## time gives the same state. For maps with constant data and without sources or histories, whose diffusivity ranges over more than a factor of 2.2.
contract parabolic_scaling(m: model, u: output, diffusivity: input) {
  needs duration(m) > 0 else "the model has no time"
  needs not has_histories(m) else "histories have a time of their own"
  needs upper(m, diffusivity) > 2.2*lower(m, diffusivity) else "the diffusivity ranges over less than a factor of 2.2"
  probe z in domain(m) where z[diffusivity] >= 2*lower(m, diffusivity)
  slow = z with (diffusivity: z[diffusivity]/2)
  half = times(m)[0] + duration(m)/2
  early = m(z)[u] at half
  late = m(slow)[u] at times(m)[-1]
  violation = norm(early - late)/max(norm(early), 1e-2*scale(m, of: u, at: half))
  tolerance = 0.05
}

## [HT-MEAN] The mean value property of harmonic functions in the plane: weighted by any function of the distance to a point, the mean is the
## value there. Means with smooth weights of radius r and r/2 around (a, b) are compared, relative to the oscillation; the circle of radius r
## lies in the body, where the conductivity is constant and no source is.
contract mean_value(m: model, u: output, a, b, r) {
  probe z in domain(m)
  f = m(z)[u]
  d = (x - a)^2 + (y - b)^2
  wide = evaluate(max(0, 1 - d/r^2)^2, m(z))
  narrow = evaluate(max(0, 1 - 4*d/r^2)^2, m(z))
  oscillation = max(max(f) - min(f), 1e-2*largest(m, of: u))
  violation = abs(integral(wide*f)/integral(wide) - integral(narrow*f)/integral(narrow))/oscillation
  tolerance = 1e-2
}

## [HT-STDY] At the last time the steady state is reached: `steady_limit(m, T, T == q*x*(1 - x)/2)`.
contract steady_limit(m: model, u: output, state: condition) {
  needs duration(m) > 0 else "the model has no time"
  probe z in domain(m)
  f = m(z)
  last = times(m)[-1]
  violation = norm(residual(state, f), at: last)/max(norm(f[u], at: last), 1e-2*scale(m, of: u, at: last))
  tolerance = 2e-2
}

# --- packs ---

## Heat conduction, diffusion: hard are the maximum principle, the balance, boundary and initial values, and causality; decay, comparison and
## linearity are remarks. `edge` is the equation of the values on `part`, `start` that of the first state, `data` an input that the field grows with.
contracts heat_conduction(m: model, u: output, low: field, high: field, gain: field, flux: field, edge: condition, part: boundary, start: condition, data: input) {
  hard maximum_principle(m, u, low, high)
  hard balance(m, gain, flux)
  hard trace(m, edge, part)
  hard initial_state(m, start)
  hard causality(m)
  hard non_trivial(m)
  soft energy_decay(m, u)
  soft comparison(m, u, data)
}

# --- witnesses ---

geometry _line = interval(0, 1)
_m = mesh(_line, cells: [8])
pde _cool(k = 1.0, a = 0.0) on _line {
  unknown T : scalar P2
  dt(T) == k*lap(T)
  on left, right: T == 0
  initially: T == a*sin(pi*x)
}
map _bar {
  input k in 0.25..1, a in 1..2
  output T(t) from solve(_cool(k, a), _m, time: 0..0.2, step: 0.02)
}
model _exact(k, a) for _bar { T = a*exp(-k*pi^2*t)*sin(pi*x) }
model _hotter(k, a) for _bar { T = 1.01*a*exp(-k*pi^2*t)*sin(pi*x) }
model _lower(k, a) for _bar { T = a*(exp(-k*pi^2*t)*sin(pi*x) - 0.01) }
model _colder(k, a) for _bar { T = -1.01*a*exp(-k*pi^2*t)*sin(pi*x) }
model _raised(k, a) for _bar { T = a*(1 + exp(-k*pi^2*t)*sin(pi*x)) }
model _falling(k, a) for _bar { T = (3 - a)*exp(-k*pi^2*t)*sin(pi*x) }
model _rising(k, a) for _bar { T = a*(1 + t)*sin(pi*x) }
model _lifted(k, a) for _bar { T = a*(1 + (1 + t)*sin(pi*x)) }
model _drifting(k, a) for _bar { T = a*(1 + t) }
model _gathers(k, a) for _bar { T = a*(1 + 2*t*(x - 0.5)) }
model _frozen(k, a) for _bar { T = 0.8*a*(x^2 + 1) }
model _steep(k, a) for _bar { T = 0.5*a*x*(1 - x)*(1 + t) }

test "maximum_principle" {
  accept maximum_principle(_exact, T, low: 0, high: a)
  reject maximum_principle(_hotter, T, low: -a, high: a) v 0.005
  reject maximum_principle(_lower, T, low: 0, high: a) v 0.01
  reject maximum_principle(_lower, T, low: 0.5*a, high: a) v 1.02
  accept maximum_principle(_bar, T, low: 0, high: a)
}
test "comparison" {
  accept comparison(_exact, T, data: a)
  accept comparison(_raised, T, data: a) v 0
  reject comparison(_falling, T, data: a) v 0.5 within 0.1
}
test "heat_positivity" {
  accept heat_positivity(_raised, T) v 0
  reject heat_positivity(_colder, T) v 1.05 within 0.05
}
test "contraction" {
  accept contraction(_exact, T, start: [a]) v 0
  reject contraction(_drifting, T, start: [a]) v 0.2
  # a difference that gathers at one end: its content stays, its largest value grows to 1.2
  reject contraction(_gathers, T, start: [a]) v 0.2
}
test "energy_decay" {
  accept energy_decay(_exact, T)
  # the energy grows with (1 + t)^2: most in the last step, 1.2^2 - 1.18^2
  reject energy_decay(_rising, T) v 0.0476
}
test "oscillation_decay" {
  accept oscillation_decay(_exact, T)
  reject oscillation_decay(_rising, T) v 0.02
  reject oscillation_decay(_lifted, T) v 0.02
}
test "conservation" {
  accept conservation(_frozen, T)
  reject conservation(_drifting, T) v 0.2
}
test "balance" {
  accept balance(_bar, gain: dt(T), flux: k*grad(T))
  accept balance(_exact, gain: dt(T), flux: k*grad(T))
  # a content that grows at the rate 1/12, while 1 + t flows out: all is against
  reject balance(_steep, gain: dt(T), flux: grad(T)) v 1
  # a flux of the wrong size by a factor of 2
  reject balance(_exact, gain: dt(T), flux: 2*k*grad(T)) v 0.333 within 0.02
}
test "parabolic_scaling" {
  accept parabolic_scaling(_exact, T, diffusivity: k)
  reject parabolic_scaling(_rising, T, diffusivity: k) v 0.0909
}
test "steady_limit" {
  accept steady_limit(_frozen, T, T == 0.8*a*(x^2 + 1))
  accept steady_limit(_frozen, T, T == 0.788*a*(x^2 + 1)) v 0.015
  reject steady_limit(_frozen, T, T == 0.78*a*(x^2 + 1)) v 0.025
}

geometry _plate = rectangle(x: 0..1, y: 0..1)
pde _sheet(a = 1.0) on _plate {
  unknown T : scalar P2
  lap(T) == 0
  on left, right, top, bottom: T == a*x*y
}
map _laplace {
  input a in 1..2
  output T from solve(_sheet(a), mesh(_plate, cells: [12, 12]))
}
model _harmonic(a) for _laplace { T = a*x*y }
model _convex(a) for _laplace { T = a*(x^2 + y^2) }

test "balance of a steady state" {
  accept balance(_harmonic, gain: 0*T, flux: grad(T))
  accept balance(_laplace, gain: 0*T, flux: grad(T))
  # lap(T) = 4 a, of which 4 a flows out: nothing is left; without it all is
  accept balance(_convex, gain: 4*a, flux: grad(T))
  reject balance(_convex, gain: 0*T, flux: grad(T)) v 1
  reject balance(_convex, gain: 2*a, flux: grad(T)) v 1/3
}
test "mean_value" {
  accept mean_value(_harmonic, T, a: 0.5, b: 0.5, r: 0.4)
  # the mean of d over a disk with the weight (1 - d/r^2)^2 is r^2/4: 0.04 - 0.01 over an oscillation of 2
  reject mean_value(_convex, T, a: 0.5, b: 0.5, r: 0.4) v 0.015
}
test "heat_conduction" {
  accept heat_conduction(_bar, T, low: 0, high: a, gain: dt(T), flux: k*grad(T), edge: T == 0, part: left, start: T == a*sin(pi*x), data: a)
  reject heat_conduction(_rising, T, low: 0, high: a, gain: dt(T), flux: k*grad(T), edge: T == 0, part: left, start: T == a*sin(pi*x), data: a)
}
