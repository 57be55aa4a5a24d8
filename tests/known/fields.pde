# Known answers: contracts of boundaries, of the start, of sizes, of time and of discretisation. Inputs are all but fixed, histories are taken as they stand in the bank (mixture:
# none), so that a violation is a number. Sums over times are those of the trapezoidal rule, in which fields that are linear from one time to the next are measured.

geometry line = interval(0, 1)
nodes = mesh(line, cells: [8])
field shape = x*(1 - x)/2
size = 1/sqrt(120)

pde conduct(q = 1.0, k = 1.0) on line {
  unknown T : scalar P2
  -div(k*grad(T)) == q
  on left, right: T == 0
}
map pinned {
  input q in 1..1.0001, k in 1..1.0001
  output T from solve(conduct(q, k), nodes)
}
model exact(q, k) for pinned { T = q/k*shape }
model shifted(q, k) for pinned { T = q/k*shape + 0.01 }
model twice(q, k) for pinned { T = 2*q/k*shape }
model opposed(q, k) for pinned { T = -q/k*shape }
model collapsed(q, k) for pinned { T = 0*q*k*shape }
model tilted(q, k) for pinned { T = 0.001*x + 0*q*k }

test "BC-D" {
  accept trace(exact, T == 0, part: left) v 0
  # the boundary is shifted by 0.01, relative to the typical size in the body
  reject trace(shifted, T == 0, part: left) v 0.01/size
  accept trace(collapsed, T == 0, part: left) v 0
  reject trace(collapsed, T == 1, part: left) v 1/size
}
test "BC-N" {
  # the flux at the right is -q/2
  accept natural_condition(exact, dot(k*grad(T), n) == -q/2, part: right)
  accept natural_condition(shifted, dot(k*grad(T), n) == -q/2, part: right)
  reject natural_condition(twice, dot(k*grad(T), n) == -q/2, part: right) v 1
  reject natural_condition(collapsed, dot(k*grad(T), n) == -q/2, part: right) v 1
  # nothing is prescribed: over a tenth of the map's own flux, 0.001 and 1/2
  accept natural_condition(tilted, dot(k*grad(T), n) == 0*q, part: right) v 0.001/0.05
  reject natural_condition(exact, dot(k*grad(T), n) == 0*q, part: right) v 10
}
test "BC-R" {
  accept robin_condition(exact, dot(k*grad(T), n) == T - q/2, part: right)
  # 0.01 of 1/2 + 0.49
  accept robin_condition(shifted, dot(k*grad(T), n) == T - q/2, part: right) v 0.01/0.99
  reject robin_condition(twice, dot(k*grad(T), n) == T - q/2, part: right) v 1/3
  reject robin_condition(collapsed, dot(k*grad(T), n) == T - q/2, part: right) v 1
  # both sides all but zero: over a hundredth of the map's flux
  reject robin_condition(tilted, dot(k*grad(T), n) == 0*q, part: right) v 0.001/0.005
}
test "BND-AMP" {
  accept amplitude_bound(exact, T) v 0
  # 2 of 1.5
  reject amplitude_bound(twice, T) v 1/3
  reject amplitude_bound(twice, T, factor: 1) v 1
  accept amplitude_bound(collapsed, T) v 0
  accept bound(exact, T <= 0.2, size: 0.1) v 0
  reject bound(exact, T <= 0.1, size: 0.1) v 0.25
}
test "BND-RNG" {
  accept range_bound(exact, T, low: 0, high: 0.126) v 0
  reject range_bound(exact, T, low: 0, high: 0.1) v 0.25
  reject range_bound(shifted, T, low: 0.06, high: 0.26) v 0.25
  reject range_bound(collapsed, T, low: 0.05, high: 0.15) v 0.5
  skip range_bound(exact, T, low: 1, high: 1)
}
test "POS" {
  accept positivity(exact, T) v 0
  reject positivity(opposed, T) v 1
  reject positivity(exact, T - 0.01) v 0.01/0.115
  accept positivity(collapsed, T) v 0
}
test "RES" {
  accept residual(exact, flux: k*grad(T), source: q, count: 6)
  # one bump: about 1/4, of radius 1/4, where the flux is 1/4. Its integral is 16/15 R, that of |b'| is 2
  reject residual(twice, flux: k*grad(T), source: q, count: 1) v 4/15/(4*0.25 + 4/15)
  reject residual(collapsed, flux: k*grad(T), source: q, count: 1) v 1
}

# --- histories ---

pde follow(f = 0.0) on line {
  unknown T : scalar P1
  dt(T) == lap(T)
  on left: T == 0
  on right: T == f
  initially: T == 0
}
coarse = mesh(line, cells: [4])
map driven {
  input f(t) from bank [t, t^2]
  mixture: none
  output T(t) from solve(follow(f), coarse, time: 0..1, step: 0.05)
}
model tracks(f) for driven { T = f*x }
model trails(f) for driven { T = 0.9*f*x }
model raised(f) for driven { T = f*x + 0.01 }
model still(f) for driven { T = 0*f*x }
model rises(f) for driven { T = t*x + 0*f }
model rests(f) for driven { T = t^2*x + 0*f }
model turns(f) for driven { T = f*x*cos(pi*t/0.15) }

# Sum of squares over the times of [a, b] in n steps.
fn square_sum(f, a, b, n) {
  sum = 0.0
  for i in 0..n { sum = sum + (if i == 0 or i == n then 0.5 else 1)*f(a + (b - a)*i/n)^2*(b - a)/n }
  return sum
}

test "BC-T" {
  accept trace_history(tracks, T == f, part: right) v 0
  reject trace_history(trails, T == f, part: right) v 0.1
  reject trace_history(still, T == f, part: right) v 1
  skip trace_history(exact, T == q, part: right)
}
test "IC" {
  accept initial_state(tracks, T == 0) v 0
  reject initial_state(raised, T == 0) v 0.01/scale(driven)
  accept initial_state(still, T == 0) v 0
  reject initial_state(still, T == 1) v 1/scale(driven)
  skip initial_state(exact, T == 0)
}
test "IC-V" {
  accept initial_rate(rests, T == 0)
  # the norm of x over T = 1
  reject initial_rate(rises, T == 0) v sqrt(1/3)/scale(driven)
  accept initial_rate(still, T == 0) v 0
  skip initial_rate(exact, T == 0)
}
fn turned(t) = t*cos(pi*t/0.15)
fn turned_late(t) = if t < 0.15 then 0 else 2*(t - 0.15)*cos(pi*t/0.15)
test "TSHIFT" {
  accept time_shift(tracks, steps: 3)
  # an ageing factor whose sign changes in three steps: twice the delayed answer; of t and t^2 the first is the larger
  reject time_shift(turns, steps: 3) v sqrt(square_sum(turned_late, 0, 1, 20)/square_sum(turned, 0, 1, 20))
  accept time_shift(still, steps: 3) v 0
  skip time_shift(exact)
  skip time_shift(tracks, steps: 20)
}

# Histories that are zero at the quarters of the time, so that they can be glued there.
map waved {
  input f(t) from bank [sin(4*pi*t), 2*sin(4*pi*t)]
  mixture: none
  output T(t) from solve(follow(f), coarse, time: 0..1, step: 0.05)
}
model causal(f) for waved { T = (f at (t - 0.05))*x }
model smoothed(f) for waved { T = ((f at (t - 0.05)) + (f at (t + 0.05)))/2*x }
model unmoved(f) for waved { T = 0*f*x }
fn wave_smoothed(t) = (sin(4*pi*max(0, t - 0.05)) + sin(4*pi*(t + 0.05)))/2
# Nothing before the middle: the denominator is its floor.
map quiet {
  input f(t) from bank [max(0, t - 0.5)^2, 2*max(0, t - 0.5)^2]
  mixture: none
  output T(t) from solve(follow(f), coarse, time: 0..1, step: 0.05)
}
model foresees(f) for quiet { T = (f at (t + 0.05))*x }

test "CAUS" {
  accept causality(waved)
  accept causality(causal) v 0
  accept causality(unmoved) v 0
  # a smoother of three times reaches one step ahead: at the time of the splice alone it is off, by half of sin(0.2 pi)
  off = (sin(0.2*pi)/2)^2*0.025
  reject causality(smoothed, split: 0.25, also: []) v sqrt(off/square_sum(wave_smoothed, 0, 0.25, 5))
  reject causality(smoothed, split: 0.5, also: []) v sqrt(off/square_sum(wave_smoothed, 0, 0.5, 10))
  reject causality(smoothed) v sqrt(off/square_sum(wave_smoothed, 0, 0.25, 5))
  reject causality(foresees, also: []) v 0.05^2*sqrt(0.025/3)/(1e-2*scale(quiet))
  skip causality(exact)
}

pde fade(a = 1.0) on line {
  unknown T : scalar P2
  dt(T) == lap(T)/5
  on left, right: T == 0
  initially: T == a*sin(pi*x)
}
map fading {
  input a in -1..1
  output T(t) from solve(fade(a), nodes, time: 0..1, step: 0.1)
}
model halves(a) for fading { T = a*sin(pi*x)*exp(-t) }
model lingers(a) for fading { T = a*sin(pi*x)/(1 + 3*t) }
model fallen(a) for fading { T = 0*a*sin(pi*x) }
fn linger(t) = 1/(1 + 3*t)
fn lingered(t) = 1/(1 + 3*t) - 1/1.9/(1 + 3*(t - 0.3))

test "SEMI" {
  accept semigroup(halves, T, start: a, shape: sin(pi*x))
  accept semigroup(fading, T, start: a, shape: sin(pi*x))
  # started again at 0.3, where it is 1/1.9 of what it was
  reject semigroup(lingers, T, start: a, shape: sin(pi*x)) v sqrt(square_sum(lingered, 0.3, 1, 7)/square_sum(linger, 0, 1, 10))
  accept semigroup(fallen, T, start: a, shape: sin(pi*x)) v 0
  skip semigroup(halves, T, start: a, shape: sin(pi*x), steps: 10)
}

# --- discretisation ---

map finer {
  input q in 1..1.0001, k in 1..1.0001
  output T from solve(conduct(q, k), mesh(line, cells: [16]))
}
model sharper(q, k) for finer { T = 1.03*q/k*shape }
model finer_collapsed(q, k) for finer { T = 0*q*k*shape }
map sensed {
  input a in 0..1, b in 0..1
  output T from solve(conduct(a + b, 1), nodes)
}
model set(a, b) for sensed { T = a*b*shape }
model listed(a, b) for sensed { T = (if a < 0.5 then 1 else 1.1)*shape }

test "RESOL" {
  accept resolution_invariance(pinned, finer)
  accept resolution_invariance(finer, pinned)
  reject resolution_invariance(exact, sharper) v 0.03
  reject resolution_invariance(exact, finer_collapsed) v 1
  accept resolution_invariance(collapsed, finer_collapsed) v 0
  # no answer here and a full one there: over the floor
  reject resolution_invariance(collapsed, sharper) v 103
}
test "PERM" {
  accept permutation(exact) v 0
  accept permutation(pinned) v 0
  accept sensor_permutation(set, sensors: [a, b], swapped: [b, a]) v 0
  # 1 and 1.1 change places
  reject sensor_permutation(listed, sensors: [a, b], swapped: [b, a]) v 0.1
}
