## Contracts of models: what predicted fields satisfy on boundaries, at the start, in time and in size, whoever makes them.
##
## Known without an import, as those in models.pde; probes, scale(m) and the floor eta = 1e-2 are as there. Equations and fields that are
## given (`law: dot(k*grad(T), n) == q`, `stress: sigma(u, E)`) are read in the names of the map: its outputs and inputs. Tolerances: 1e-2 for
## values on a boundary or at the start, 1e-1 where a derivative of the prediction is taken (one order of h less), 2e-1 where two are.

# --- boundaries ---

## [BC-D] The two sides of an equation agree on a boundary, in the mean over it, relative to the typical size of the field in the body:
## `trace(m, u.x == 0, part: right)`. A component at a time, as rollers have. Tolerance 1e-2; 1e-9 where a factor makes it exact.
contract trace(m: model, law: condition, part: boundary) {
  probe z in domain(m)
  size = scale(m, of: law)/sqrt(measure(m))
  violation = norm(residual(law, m(z)), on: part)/(size*sqrt(measure(m, on: part)))
  tolerance = 1e-2
}

## [BC-T] The field follows values that are prescribed over time: `trace_history(m, u.x == ux, part: right)`. Norms are over the boundary and all times;
## relative to the prescribed values, with a floor of a hundredth of the field's size there. Tolerance 5e-2: learned.
contract trace_history(m: model, law: condition, part: boundary) {
  needs duration(m) > 0 else "the model has no time"
  probe z in domain(m)
  violation = norm(residual(law, m(z)), on: part)/max(norm(right_side(law, m(z)), on: part), 1e-2*scale(m, on: part, of: law))
  tolerance = 0.05
}

## [BC-N] The flux or traction that a prediction has by its gradient is the prescribed one: `natural_condition(m, dot(k*grad(T), n) == q, part: right)`.
## Relative to the prescribed one, with a floor of a tenth of the flux of the map's own fields there. Tolerance 1e-1: one derivative.
contract natural_condition(m: model, law: condition, part: boundary) {
  probe z in domain(m)
  violation = norm(residual(law, m(z)), on: part)/max(norm(right_side(law, m(z)), on: part), 0.1*scale(m, on: part, of: law))
  tolerance = 0.1
}

## [BC-R] Exchange with what is outside: `robin_condition(m, dot(k*grad(T), n) == 5*(20 - T), part: right)`. Relative to the sum of both sides, with a floor of a
## hundredth of the flux of the map's own fields there. Tolerance 1e-1: one derivative.
contract robin_condition(m: model, law: condition, part: boundary) {
  probe z in domain(m)
  size = norm(evaluate(law, m(z)), on: part) + norm(right_side(law, m(z)), on: part)
  violation = norm(residual(law, m(z)), on: part)/max(size, 1e-2*scale(m, on: part, of: law))
  tolerance = 0.1
}

# --- the start ---

## [IC] The first state satisfies an equation, `initial_state(m, u == 0)`: ||.|| at the first time, relative to the typical size at one time. Tolerance 1e-2.
contract initial_state(m: model, law: condition) {
  needs duration(m) > 0 else "the model has no time"
  probe z in domain(m)
  violation = norm(residual(law, m(z)) at times(m)[0])*sqrt(duration(m))/scale(m, of: law)
  tolerance = 1e-2
}

## [IC-V] The first rate satisfies an equation whose left side is the field, `initial_rate(m, u == 0)` for a start at rest: the slope at the first time of the
## parabola through the first three states, relative to S/T. For equations of second order in time. Tolerance 1e-1: one derivative.
contract initial_rate(m: model, law: condition) {
  needs duration(m) > 0 and len(times(m)) > 2 else "the model has no three times"
  probe z in domain(m)
  a = times(m)[1] - times(m)[0]
  b = times(m)[2] - times(m)[0]
  f = residual(law, m(z))
  start = f at times(m)[0]
  first = f at times(m)[1]
  second = f at times(m)[2]
  rate = (first - start)*(b/(a*(b - a))) - (second - start)*(a/(b*(b - a)))
  violation = norm(rate)*duration(m)^1.5/scale(m, of: law)
  tolerance = 0.1
}

# --- sizes and signs ---

## [BND-AMP] No amplitude beyond `factor` times the largest that the map itself shows over a fixed bank of inputs: max(0, max|f| / (factor B) - 1). The
## field is given, `amplitude_bound(m, u)`, and may be a stress. Tolerance 1e-2.
contract amplitude_bound(m: model, q: field, factor = 1.5) {
  probe z in domain(m)
  violation = max(0, max(abs(evaluate(q, m(z))))/(factor*largest(m, of: q)) - 1)
  tolerance = 1e-2
}

## [BND-RNG] A scalar stays within a range that physics gives, not data: a fraction in 0..1, a saturation. max(0, low - f, f - high) / (high - low).
## Tolerance 1e-3: an order.
contract range_bound(m: model, q: field, low, high) {
  needs low < high else "the range is empty"
  probe z in domain(m)
  f = evaluate(q, m(z))
  violation = max(0, (low - min(f))/(high - low), (max(f) - high)/(high - low))
  tolerance = 1e-3
}

## [POS] A concentration, a density, an absolute temperature is nowhere negative: max(0, -min f) / S_inf, the largest size that the map itself shows.
## Tolerance 1e-3: an order.
contract positivity(m: model, q: field) {
  probe z in domain(m)
  violation = max(0, -min(evaluate(q, m(z))))/largest(m, of: q)
  tolerance = 1e-3
}

## [BND-AMP, BND-RNG] An inequality holds everywhere: `bound(m, abs(u) <= 10)`. Relative to `size`, a typical value of its sides. Tolerance 1e-2.
contract bound(m: model, law: condition, size = 1) {
  probe z in domain(m)
  violation = max(0, max(residual(law, m(z))))/size
  tolerance = 1e-2
}

# --- time ---

## [CAUS] What comes later changes nothing before it: histories that agree up to a time give fields that agree up to it. Norms are over the body and
## the times before; the floor keeps quiet beginnings from giving ratios of thousands. At `split` of the time and at the parts of it in `also`, the largest
## counts; also: [] asks at one. Tolerance 5e-2; 1e-9 where every path is a causal convolution.
contract causality(m: model, split = 0.5, also = [0.25, 0.75]) {
  needs has_histories(m) else "no input is a function of time"
  probe p, q in domain(m)
  worst = 0
  for part in [split] ++ also {
    s = times(m)[0] + part*duration(m)
    r = splice(p, q, at: s)
    worst = max(worst, norm(m(p) - m(r), until: s)/max(norm(m(p), until: s), 1e-2*scale(m)))
  }
  violation = worst
  tolerance = 0.05
}

## [SEMI] To go on from a state is to have gone on: with the state at s as the start, the rest of the way is the same, ||u(t + s) - u'(t)|| / ||u||, for states that one input
## holds: `semigroup(m, a, shape: sin(pi*x))` where the start is a*shape. The state at s is projected onto the shape. No forcing. Tolerance 5e-2: learned.
contract semigroup(m: model, u: output, start: input, shape: field, steps = 3) {
  needs 0 < steps < len(times(m)) - 1 else "the restart leaves the times of the map"
  probe z in domain(m)
  s = times(m)[steps] - times(m)[0]
  f = m(z)
  phi = evaluate(shape, f)
  again = z with (start: integral(f[u]*phi at times(m)[steps])/integral(phi*phi))
  late = delayed(m, by: s)
  violation = norm(f[u] - late(again)[u], from: times(m)[steps])/max(norm(f[u]), 1e-2*scale(m, of: u))
  tolerance = 0.05
}

## [RES] The equation -div(flux) == source in its weak form, over smooth functions b that vanish on the boundary (`bumps`): the root of the sum of squares of integral(flux grad b -
## source b), in the mean over time, over that of the sizes of its terms: `residual(m, flux: k*grad(T), source: q)`, over time `source: q - dt(T)`. Of a scalar; vectors have
## equilibrium. Tolerance 2e-1: two derivatives of the field.
contract residual(m: model, flux: field, source: field, count = 12) {
  probe z in domain(m)
  q = evaluate(flux, m(z))
  f = evaluate(source, m(z))
  off = 0
  size = 0
  for b in bumps(m, count: count) {
    off = off + norm(history(integral(dot(q, grad(b)) - f*b, degree: 5)))^2
    size = size + norm(history(integral(abs(dot(q, grad(b))) + abs(f)*b, degree: 5)))^2
  }
  violation = sqrt(off)/max(sqrt(size), 1e-4*scale(m, of: flux))
  tolerance = 0.2
}

# --- what discretisation must not change ---

## [RESOL] Resolution invariance, of predictors that are asked at points: ||u_h - u_h/2|| / ||u_h||, `fine` a model of the map on a finer mesh, with the same inputs, outputs and times,
## read at the nodes of this one. Of the solver itself it is the error that a mesh makes. Tolerance 2e-2.
contract resolution_invariance(m: model, fine: model) {
  probe z in domain(m)
  other = resampled(fine, m)
  violation = norm(m(z) - other(z))/max(norm(m(z)), 1e-2*scale(m))
  tolerance = 2e-2
}

## [PERM] The order of nodes is a convention: ||P^-1 u_P(z) - u(z)|| / ||u(z)||, u_P the same program or library asked with its nodes in another order. Tolerance 1e-4: exact for
## mesh encoders.
contract permutation(m: model) {
  probe z in domain(m)
  other = relabelled(m)
  violation = norm(other(z) - m(z))/max(norm(m(z)), 1e-2*scale(m))
  tolerance = 1e-4
}

## [PERM] The order of alike sensors is a convention: inputs that change places change nothing, `sensor_permutation(m, sensors: [a, b], swapped: [b, a])`. Tolerance 1e-4: exact for set
## encoders.
contract sensor_permutation(m: model, sensors: inputs, swapped: inputs) {
  probe z in domain(m)
  other = z with (sensors: z[swapped])
  violation = norm(m(other) - m(z))/max(norm(m(z)), 1e-2*scale(m))
  tolerance = 1e-4
}

# --- witnesses ---

geometry _line = interval(0, 1)
_m = mesh(_line, cells: [8])
pde _rod(q = 1.0, k = 1.0) on _line {
  unknown T : scalar P2
  -div(k*grad(T)) == q
  on left, right: T == 0
}
map _slab {
  input q in 1..1.001, k in 1..1.001
  output T from solve(_rod(q, k), _m)
}
# The flux at the right end is -q/2, its exchange with the outside -T.
model _exact(q, k) for _slab { T = q/k*x*(1 - x)/2 }
model _shifted(q, k) for _slab { T = q/k*x*(1 - x)/2 + 0.01 }
model _steep(q, k) for _slab { T = q/k*x*(1 - x) }

pde _warm(f = 0.0) on _line {
  unknown T : scalar P1
  dt(T) == lap(T) + f
  on left, right: T == 0
  initially: T == 0
}
map _driven {
  input f(t) from bank [sin(6*t), t, 1 - t, 1]
  output T(t) from solve(_warm(f), mesh(_line, cells: [4]), time: 0..1, step: 0.1)
}
model _follows(f) for _driven { T = 0.1*t*f*x*(1 - x) }
model _foresees(f) for _driven { T = 0.1*(f at (t + 0.2))*x*(1 - x) }
model _rushes(f) for _driven { T = 0.1*sin(t)*x*(1 - x) }
model _rests(f) for _driven { T = 0.1*t^2*x*(1 - x) }
model _tracks(f) for _driven { T = f*x }
model _trails(f) for _driven { T = 0.9*f*x }

test "trace" {
  accept trace(_exact, T == 0, part: left)
  # 0.01 of sqrt(1/120), the mean of x (1 - x)/2 over the line
  reject trace(_shifted, T == 0, part: left) v 0.01*sqrt(120)
  reject trace(_exact, T == 1, part: left)
}
test "trace over time" {
  accept trace_history(_tracks, T == f, part: right)
  reject trace_history(_trails, T == f, part: right) v 0.1
}
test "fluxes" {
  accept natural_condition(_exact, dot(k*grad(T), n) == -q/2, part: right)
  reject natural_condition(_steep, dot(k*grad(T), n) == -q/2, part: right) v 1
  accept robin_condition(_exact, dot(k*grad(T), n) == T - q/2, part: right)
  reject robin_condition(_steep, dot(k*grad(T), n) == T - q/2, part: right) v 1/3
}
test "start" {
  accept initial_state(_follows, T == 0)
  reject initial_state(_foresees, T == 0) v 0.417 within 0.3
  accept initial_rate(_rests, T == 0)
  reject initial_rate(_rushes, T == 0) v 0.418 within 0.3
}
test "sizes and signs" {
  accept amplitude_bound(_exact, T) v 0
  # twice the answer of 1.5 times the largest
  reject amplitude_bound(_steep, T) v 1/3
  accept range_bound(_exact, T, low: 0, high: 0.126)
  reject range_bound(_shifted, T, low: 0.01, high: 0.11) v 0.25
  reject range_bound(_shifted, T, low: 0.06, high: 0.26) v 0.25
  accept positivity(_shifted, T) v 0
  reject positivity(_exact, T - 0.01) v 0.01/0.115
  accept bound(_exact, T <= 0.2, size: 0.1) v 0
  reject bound(_exact, T <= 0.1, size: 0.1) v 0.25
}
pde _fade(a = 1.0) on _line {
  unknown T : scalar P2
  dt(T) == lap(T)/5
  on left, right: T == 0
  initially: T == a*sin(pi*x)
}
map _fading {
  input a in -1..1
  output T(t) from solve(_fade(a), _m, time: 0..1, step: 0.1)
}
model _halves(a) for _fading { T = a*sin(pi*x)*exp(-t) }
model _lingers(a) for _fading { T = a*sin(pi*x)/(1 + 3*t) }

test "restart, weak form" {
  accept semigroup(_halves, T, start: a, shape: sin(pi*x))
  accept semigroup(_fading, T, start: a, shape: sin(pi*x))
  reject semigroup(_lingers, T, start: a, shape: sin(pi*x)) v 0.1219
  accept residual(_exact, flux: k*grad(T), source: q, count: 5)
  reject residual(_steep, flux: k*grad(T), source: q, count: 5) v 0.264 within 0.3
}
map _finer {
  input q in 1..1.001, k in 1..1.001
  output T from solve(_rod(q, k), mesh(_line, cells: [16]))
}
model _sharper(q, k) for _finer { T = 1.03*q/k*x*(1 - x)/2 }
map _sensed {
  input a in 0..1, b in 0..1
  output T from solve(_rod(a + b, 1), _m)
}
model _set(a, b) for _sensed { T = a*b*x*(1 - x) }
model _listed(a, b) for _sensed { T = (if a < 0.5 then 1 else 1.1)*x*(1 - x) }

test "what discretisation must not change" {
  accept resolution_invariance(_slab, _finer)
  reject resolution_invariance(_exact, _sharper) v 0.03
  accept permutation(_listed)
  accept sensor_permutation(_set, sensors: [a, b], swapped: [b, a])
  # 1 and 1.1 change places
  reject sensor_permutation(_listed, sensors: [a, b], swapped: [b, a]) v 0.1
}
test "causality" {
  accept causality(_follows)
  # quiet beginnings: the largest of the three is the first
  reject causality(_foresees) v 12.48 within 0.3
  reject causality(_foresees, also: []) v 3.34 within 0.3
  accept causality(_driven)
}
