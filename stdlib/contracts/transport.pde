## Contracts of models of advection and of reaction: what carried and reacting quantities must satisfy.
##
## Known without an import; names, floors and tolerances as in contracts/heat. Sources: LeVeque, Finite Volume Methods for Hyperbolic Problems,
## 2002, chapters 2 and 9; Smoller, Shock Waves and Reaction-Diffusion Equations, 1994, chapter 14 (invariant regions).

# --- advection ---

## [AD-MASS] What is gained comes through the boundary, by flow and by diffusion: integral(gain) = integral(dot(flux, n), on: all) at each time. For
## dt(c) + div(b*c) == div(d*grad(c)) + s with div(b) == 0: `mass_balance(m, gain: dt(c) - s, flux: d*grad(c) - b*c)`. Relative to the sum of the sizes of both.
contract mass_balance(m: model, gain: field, flux: field) {
  probe z in domain(m)
  f = m(z)
  g = evaluate(gain, f)
  q = dot(evaluate(flux, f), n)
  size = norm(history(integral(abs(g)))) + norm(history(integral(abs(q), on: all)))
  violation = norm(history(integral(g) - integral(q, on: all)))/size
  tolerance = 2e-2
}

## [AD-MAX] What is carried makes no new extrema: low <= c <= high, bounds that inflow and initial values give, in terms of the inputs. The
## tolerance 1e-2 leaves room for what stabilised methods overshoot at steep fronts.
contract no_new_extrema(m: model, u: output, low: field, high: field) {
  probe z in domain(m)
  f = m(z)
  lowest = evaluate(low, f)
  highest = evaluate(high, f)
  violation = max(0, max(f[u] - highest), max(lowest - f[u]))/max(max(highest - lowest), 1e-2*largest(m, of: u))
  tolerance = 1e-2
}

## [AD-UP] Nothing downstream is felt upstream: inputs `downstream` change nothing where `upstream` holds, `upstream: x <= 0.4`. For pure advection; with
## diffusion the influence over a length l is exp(-v l/d).
contract no_upstream_influence(m: model, u: output, downstream: inputs, upstream: condition) {
  probe z, w in domain(m)
  f = m(z)
  other = z with (downstream: w[downstream])
  outside = residual(upstream, f)
  change = if outside <= 0 then m(other)[u] - f[u] else 0*f[u]
  before = if outside <= 0 then f[u] else 0*f[u]
  violation = norm(change)/max(norm(before), 1e-2*scale(m, of: u))
  tolerance = 1e-2
}

## [AD-TRN] A constant velocity carries the first state along: `advected_shift(m, c, c == sin(pi*(x - v*t)))`.
contract advected_shift(m: model, u: output, state: condition) {
  needs duration(m) > 0 else "the model has no time"
  probe z in domain(m)
  f = m(z)
  violation = norm(residual(state, f))/max(norm(f[u]), 1e-2*scale(m, of: u))
  tolerance = 0.05
}

# --- reaction ---

## [RD-EQ] A state that the equations leave alone stays: with the inputs `start` of the initial state at `setting`, the field is `value` at all times:
## `equilibrium_kept(m, u, start: [s, b], setting: (1, 0), value: 1)`. Relative to |value| and the typical size together.
contract equilibrium_kept(m: model, u: output, start: inputs, setting, value) {
  needs duration(m) > 0 else "the model has no time"
  probe z in domain(m)
  rest = z with (start: setting)
  violation = norm(m(rest)[u] - value)/(abs(value)*sqrt(measure(m)*duration(m)) + scale(m, of: u))
  tolerance = 1e-3
}

## [RD-INV] A region that the equations do not leave: low <= u <= high, 0..1 of a fraction or a phase.
contract invariant_region(m: model, u: output, low, high) {
  needs low < high else "the region is empty"
  probe z in domain(m)
  f = m(z)[u]
  violation = max(0, low - min(f), max(f) - high)/(high - low)
  tolerance = 1e-3
}

## [RD-ODE] Uniform data between insulated walls give the solution of the reaction alone: with the inputs `shape` of the initial state at zero,
## `state` holds, `uniform_limit(m, u, shape: b, state: u == a*exp(t)/(1 - a + a*exp(t)))`.
contract uniform_limit(m: model, u: output, shape: input, state: condition) {
  needs duration(m) > 0 else "the model has no time"
  needs lower(m, shape) <= 0 and upper(m, shape) >= 0 else "uniform data are not admissible"
  probe z in domain(m)
  uniform = z with (shape: 0)
  f = m(uniform)
  violation = norm(residual(state, f))/max(norm(f[u]), 1e-2*scale(m, of: u))
  tolerance = 1e-2
}

## [RD-LYA] The free energy of a gradient flow never grows from one time to the next, relative to its first value. Of dt(u) == d*lap(u) + u - u^3 its
## density is `energy: d/2*dot(grad(u), grad(u)) + (1 - u^2)^2/4`.
contract free_energy_decay(m: model, energy: field) {
  needs duration(m) > 0 else "the model has no time"
  needs not has_histories(m) else "histories drive the reaction"
  probe z in domain(m)
  e = evaluate(energy, m(z))
  first = e at times(m)[0]
  violation = largest_rise(history(integral(e)))/max(abs(integral(first)), 1e-2*largest(m, of: energy)*measure(m))
  tolerance = 1e-3
}

## [RD-SUM] Reactions that turn species into each other keep the total, in a closed vessel: `species_conserved(m, total: A + 2*B)`.
contract species_conserved(m: model, total: field) {
  needs duration(m) > 0 else "the model has no time"
  probe z in domain(m)
  s = evaluate(total, m(z))
  first = s at times(m)[0]
  start = integral(first)
  violation = max(history(abs(integral(s) - start)))/max(abs(start), 1e-2*largest(m, of: total)*measure(m))
  tolerance = 2e-2
}

# --- packs ---

## Nonlinear reaction-diffusion: hard are an equilibrium that is kept, the invariant region low..high, the initial values and causality; the decay of the free
## energy is a remark. `start`, `setting` and `value` are those of equilibrium_kept, `initially` the equation of the first state.
contracts reaction_diffusion(m: model, u: output, start: inputs, setting, value, low, high, initially: condition, energy: field) {
  hard equilibrium_kept(m, u, start, setting, value)
  hard invariant_region(m, u, low, high)
  hard initial_state(m, initially)
  hard causality(m)
  hard non_trivial(m)
  soft free_energy_decay(m, energy)
}

# --- witnesses ---

geometry _strip = rectangle(x: 0..1, y: 0..0.25)
pde _carry(v = 1.0, a = 1.0, b = 0.0) on _strip {
  unknown c : scalar P2
  dt(c) + v*dx(c) == 0.5*lap(c)
  on left: c == a
  on right: c == a + b
  on top, bottom: dot(grad(c), n) == 0
  initially: c == a
}
map _stream {
  input v in 0.5..1, a in 1..1.001, b in 0..1
  output c(t) from solve(_carry(v, a, b), mesh(_strip, cells: [8, 2]), time: 0..0.5, step: 0.02)
}
model _carried(v, a, b) for _stream { c = a*(1 + 0.5*sin(pi*(x - v*t))) }
model _slow(v, a, b) for _stream { c = a*(1 + 0.5*sin(pi*(x - 0.5*v*t))) }
model _still(v, a, b) for _stream { c = a*(1 + 0*t) }
model _kept(v, a, b) for _stream { c = 1.02*a + 0*t }
model _over(v, a, b) for _stream { c = a*(1 + 0.52*sin(2*pi*x)) + 0*t }
model _under(v, a, b) for _stream { c = a*(0.98 + 0.5*sin(2*pi*x)) + 0*t }
model _felt(v, a, b) for _stream { c = a*(1 + 0.1*(b - 0.5)) + 0*t }

test "mass_balance" {
  accept mass_balance(_carried, gain: dt(c), flux: (-v*c, 0))
  # nothing is gained where a flows in and out; with a source of v a, half of the sizes is left over
  accept mass_balance(_still, gain: dt(c), flux: (-v*c, 0))
  reject mass_balance(_still, gain: dt(c) - v*c, flux: (-v*c, 0)) v 1/3
  # more flows out than comes in
  reject mass_balance(_still, gain: dt(c), flux: (-c*x, 0)) v 1
}
test "no_new_extrema" {
  accept no_new_extrema(_carried, c, low: 0.5*a, high: 1.5*a)
  reject no_new_extrema(_over, c, low: 0.5*a, high: 1.5*a) v 0.02
  reject no_new_extrema(_under, c, low: 0.5*a, high: 1.5*a) v 0.02
}
test "no_upstream_influence" {
  accept no_upstream_influence(_carried, c, downstream: [b], upstream: x <= 0.5)
  # 0.1 |b - b'| of at least 0.95, b up to 1 apart
  reject no_upstream_influence(_felt, c, downstream: [b], upstream: x <= 0.5) v 0.1 within 0.1
}
test "advected_shift" {
  accept advected_shift(_carried, c, c == a*(1 + 0.5*sin(pi*(x - v*t))))
  accept advected_shift(_kept, c, c == 0.99*a) v 0.0294
  reject advected_shift(_kept, c, c == 0.96*a) v 0.0588
  reject advected_shift(_slow, c, c == a*(1 + 0.5*sin(pi*(x - v*t))))
}

# Logistic growth: u = s exp(t)/(1 - s + s exp(t)) where it begins uniform.
geometry _line = interval(0, 1)
pde _grow(s = 0.5, b = 0.0) on _line {
  unknown u : scalar P1
  dt(u) == lap(u) + u*(1 - u)
  on left, right: dot(grad(u), n) == 0
  initially: u == s + b*cos(pi*x)
}
map _logistic {
  input s in 0.2..1, b in 0..0.1
  output u(t) from solve(_grow(s, b), mesh(_line, cells: [8]), time: 0..1, step: 0.1)
}
model _exact(s, b) for _logistic { u = s*exp(t)/(1 - s + s*exp(t)) + b*cos(pi*x)*exp(-10*t) }
model _leaves(s, b) for _logistic { u = 1 - (1 - s)*exp(-t) - 0.01*s*t }
model _above(s, b) for _logistic { u = 1.01 - (1 - s)*exp(-t) + 0.05*b }
model _twofold(s, b) for _logistic { u = 1.02*s*exp(t)/(1 - s + s*exp(t)) }
model _linear(s, b) for _logistic { u = 1 + t }
model _negative(s, b) for _logistic { u = -0.01 + 0*t }

test "equilibrium_kept" {
  accept equilibrium_kept(_exact, u, start: [s, b], setting: (1, 0), value: 1)
  accept equilibrium_kept(_logistic, u, start: [s, b], setting: (1, 0), value: 1)
  # 0.01 t, whose mean square is 1/3 of 1e-4, over 1 and the typical size of 0.74
  reject equilibrium_kept(_leaves, u, start: [s, b], setting: (1, 0), value: 1) v 0.01/sqrt(3)/1.74 within 0.03
}
test "invariant_region" {
  accept invariant_region(_logistic, u, low: 0, high: 1.1)
  accept invariant_region(_linear, u, low: 1, high: 2) v 0
  reject invariant_region(_linear, u, low: 0, high: 1.6) v 0.25
  reject invariant_region(_linear, u, low: 1.5, high: 2) v 1
  reject invariant_region(_negative, u, low: 0, high: 1) v 0.01
}
test "uniform_limit" {
  accept uniform_limit(_exact, u, shape: b, state: u == s*exp(t)/(1 - s + s*exp(t)))
  reject uniform_limit(_twofold, u, shape: b, state: u == s*exp(t)/(1 - s + s*exp(t))) v 0.0196
  reject uniform_limit(_twofold, u, shape: b, state: u == s)
}
test "free_energy_decay" {
  accept free_energy_decay(_logistic, energy: dot(grad(u), grad(u))/2 - u^2/2 + u^3/3)
  # (1 + t)^2 rises by 2^2 - 1.9^2 in the last of ten steps
  reject free_energy_decay(_linear, energy: u^2) v 0.39
}

pde _decay(s = 1.0) on _line {
  unknown A : scalar P1
  unknown B : scalar P1
  equation A: dt(A) == lap(A) - A
  equation B: dt(B) == lap(B) + A
  on left, right: dot(grad(A), n) == 0
  on left, right: dot(grad(B), n) == 0
  initially: A == s
  initially: B == 0
}
map _pair {
  input s in 1..2
  output A(t), B(t) from solve(_decay(s), mesh(_line, cells: [4]), time: 0..1, step: 0.1)
}
model _turns(s) for _pair { A = s*exp(-t); B = s*(1 - exp(-t)) }
model _gains(s) for _pair { A = s*(1 - t); B = 1.1*s*t }

test "species_conserved" {
  accept species_conserved(_turns, total: A + B)
  accept species_conserved(_pair, total: A + B)
  reject species_conserved(_gains, total: A + B) v 0.1
}
test "reaction_diffusion" {
  accept reaction_diffusion(_exact, u, start: [s, b], setting: (1, 0), value: 1, low: 0, high: 1.1, initially: u == s + b*cos(pi*x), energy: dot(grad(u), grad(u))/2 - u^2/2 + u^3/3)
  reject reaction_diffusion(_above, u, start: [s, b], setting: (1, 0), value: 1, low: 0, high: 1.1, initially: u == s + b*cos(pi*x), energy: u^2)
}
