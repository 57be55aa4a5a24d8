## Contracts of solutions: what a computed field must satisfy, whatever the mesh.
##
## Every one is known without an import: `check sol against balance(sol), maximum_principle(sol)`. A violation has no dimension;
## it passes up to its tolerance. The tag in brackets is the row of the catalogue. An argument `u: output` that may be left out
## is the only unknown of the solution. The tests at the end hold, for each contract, a witness that it accepts and one that it
## rejects.

# Root mean square over the mesh.
fn _rms(f) = sqrt(mean(abs(f)^2))

# --- discrete equations and data ---

## [RES] The discrete equations hold: the residual at the free degrees of freedom, relative to the sizes of its parts.
contract residual(sol: solution) {
  violation = algebraic_residual(sol)
  tolerance = 1e-8
}

## [BC-D] The two sides of an equation agree on a boundary, at nodes and quadrature points: `trace(sol, u.x == 0, part: left)`.
## Relative to `scale`, a typical value of theirs.
contract trace(sol: solution, law: condition, part: boundary, scale = 1) {
  violation = norm(residual(law), Linf, on: part)/scale
  tolerance = 1e-2
}

## [BC-N, BC-R] The flux that a solution has by its gradient is the prescribed one, in the mean over a boundary:
## `natural_condition(sol, dot(k*grad(T), n) == q, part: top, scale: 50)`. One order of h less accurate than the values; see flux()
## for what holds to round-off. Scale: a typical flux.
contract natural_condition(sol: solution, law: condition, part: boundary, scale = 1) {
  violation = norm(residual(law), on: part)/(scale*sqrt(integral(1 + 0*residual(law), on: part)))
  tolerance = 0.1
}

## [IC] The first state is the given field: `initial_state(sol, T, 300, scale: 10)`.
contract initial_state(sol: solution, u: output, value: field, scale = 1) {
  needs len(sol.times) > 1 else "the solution is steady"
  start = sol[u] at sol.times[0]
  violation = norm(start - value, Linf)/scale
  tolerance = 1e-2
}

# --- bounds and signs ---

## [BND-AMP] The magnitude stays below a bound.
contract amplitude_bound(sol: solution, u: output, bound) {
  violation = max(0, max(abs(sol[u]))/bound - 1)
  tolerance = 1e-2
}

## [BND-RNG, RD-INV] A scalar stays within a range that physics gives: a fraction in 0..1, a saturation, a phase.
contract range_bound(sol: solution, u: output, low, high) {
  needs low < high else "the range is empty"
  lowest  = if len(sol.times) > 1 then min(sol[u], time: sol.times[0]..sol.times[-1]) else min(sol[u])
  highest = if len(sol.times) > 1 then max(sol[u], time: sol.times[0]..sol.times[-1]) else max(sol[u])
  violation = max(0, (low - lowest)/(high - low), (highest - high)/(high - low))
  tolerance = 1e-3
}

## [POS, HT-POS] A concentration, density or absolute temperature is nowhere negative, at any kept time. Relative to its largest size.
contract positivity(sol: solution, u: output = none) {
  f = unknown_of(sol, u)
  lowest = if len(sol.times) > 1 then min(f, time: sol.times[0]..sol.times[-1]) else min(f)
  largest = norm(f, Linf)
  needs largest > 0 else "the field is zero"
  violation = if lowest < 0 then -lowest/largest else 0
  tolerance = 1e-3
}

## [HT-MAX] The maximum principle: no value beyond those that the data allow, at any kept time. The bounds come from the problem
## itself (data_bounds): boundary and initial values, and the constants at which sources, reactions, Robin or radiation data push
## back. A source opens the side it pushes to; where both are open, or the equation has no such principle, the check is skipped.
## Relative to the distance of the bounds. Source: Protter and Weinberger, Maximum Principles in Differential Equations, 1967.
contract maximum_principle(sol: solution, u: output = none) {
  f = unknown_of(sol, u)
  b = data_bounds(f)
  needs b.bounded else b.reason
  lowest  = if len(sol.times) > 1 then min(f, time: sol.times[0]..sol.times[-1]) else min(f)
  highest = if len(sol.times) > 1 then max(f, time: sol.times[0]..sol.times[-1]) else max(f)
  violation = max(0, (b.low - lowest)/b.scale, (highest - b.high)/b.scale)
  tolerance = 1e-3
}

# --- balances ---

## [HT-BAL, AD-MASS] Sources plus boundary flux make zero in a steady problem, relative to the sum of their sizes. The flux is that of
## the discrete equations (by reactions where the unknown is prescribed), so a conservative solve closes to round-off.
contract balance(sol: solution, u: output = none) {
  needs sol.steady else "the problem is transient: conservation() and history() follow its content in time"
  violation = imbalance(unknown_of(sol, u))
  tolerance = 1e-7
}

## [EL-EQ] Reactions and loads of a body in equilibrium make zero, component by component, relative to the sum of their sizes.
contract reaction_balance(sol: solution, u: output = none) {
  needs sol.steady else "the body is not at rest"
  violation = imbalance(unknown_of(sol, u))
  tolerance = 1e-7
}

## [HT-CONS, RD-SUM] The content of a closed system, integral(u), does not change in time: for insulated bodies without sources.
contract conservation(sol: solution, u: output = none) {
  needs len(sol.times) > 1 else "the solution is steady"
  f = unknown_of(sol, u)
  first = f at sol.times[0]
  start = integral(first)
  size = integral(abs(first))
  needs size > 0 else "there is nothing at first"
  violation = max(history(abs(integral(f) - start)))/max(abs(start), 1e-2*size)
  tolerance = 1e-2
}

# --- evolution ---

## [HT-DEC] Without sources and with homogeneous data the energy integral(|u|^2) never grows from one state to the next, relative to
## its first value.
contract energy_decay(sol: solution, u: output = none) {
  needs len(sol.times) > 1 else "the solution is steady"
  f = unknown_of(sol, u)
  first = f at sol.times[0]
  start = integral(abs(first)^2)
  needs start > 0 else "there is nothing at first"
  violation = largest_rise(history(integral(abs(f)^2)))/start
  tolerance = 1e-3
}

## [HT-OSC] The oscillation max - min never grows, relative to its first value, with a floor of a hundredth of the first state.
contract oscillation_decay(sol: solution, u: output = none) {
  needs len(sol.times) > 1 else "the solution is steady"
  f = unknown_of(sol, u)
  first = f at sol.times[0]
  size = max(max(first) - min(first), 1e-2*max(abs(first)))
  needs size > 0 else "there is nothing at first"
  violation = largest_rise(history(max(f) - min(f)))/size
  tolerance = 1e-3
}

## [RD-EQ] A state that the equations leave alone stays: the last state is still `value`.
contract equilibrium_kept(sol: solution, u: output, value: field, scale = 1) {
  needs len(sol.times) > 1 else "the solution is steady"
  violation = norm(sol[u] - value, Linf)/scale
  tolerance = 1e-3
}

# --- symmetry ---

## [SYM-FLD] Symmetric data give a symmetric field: u equals its mirror image in the plane through a point with that normal; vectors
## are mirrored too. For steady problems below a bifurcation; on a mesh without the symmetry h bounds it.
contract symmetric_field(sol: solution, u: output, normal, through) {
  violation = asymmetry(sol[u], normal, through)
  tolerance = 0.05
}

# --- elasticity ---

## [EL-CLAP] Clapeyron: loads do twice the work that is stored, W = 2 U, where prescribed displacements are zero. `stress` is that of
## the solution, `force` the body force: `work_energy(sol, u, stress: sigma(sol.u), force: (0, -1))`.
contract work_energy(sol: solution, u: output, stress: field, force: field) {
  v = sol[u]
  work = integral(dot(force, v)) + integral(dot(dot(stress, n), v), on: all)
  energy = integral(inner(stress, eps(v)))
  size = abs(work) + abs(energy)
  needs size > 0 else "no work is done"
  violation = abs(work - energy)/size
  tolerance = 2e-2
}

## [EL-LOCK] No locking: an element that cannot follow motions without change of volume is far too stiff as nu goes to 1/2 (plane strain), and moves by a fraction of what it should:
## max(0, 1/2 - Q/reference), Q = integral(q) a displacement or work, `reference` the same of a computation that does not lock (a higher degree, mixed, or a finer mesh):
## `no_locking(sol, sol.u.y, reference: integral(fine.u.y))`. Less than 0.3 of it fails. Tolerance 2e-1, as of orders.
contract no_locking(sol: solution, q: field, reference: real) {
  needs reference != 0 else "the reference does not move"
  violation = max(0, 0.5 - integral(q)/reference)
  tolerance = 0.2
}

## [EL-TF] A free edge carries no traction, relative to the root mean square of the stress in the body.
contract traction_free(sol: solution, stress: field, part: boundary) {
  size = sqrt(integral(1 + 0*abs(stress), on: part))*_rms(stress)
  needs size > 0 else "there is no stress"
  violation = norm(dot(stress, n), on: part)/size
  tolerance = 0.1
}

# --- elastodynamics ---

## [ED-REV] An undamped body runs backwards as it ran forwards: `back` begins with the last state of `sol` and its velocity of the other sign, over the same time, and passes the same states in
## reverse: max over kept times of ||back(t) - sol(T - t)||, relative to the largest state. For schemes without damping (Newmark's mean acceleration). Tolerance 5e-2.
contract time_reversal(sol: solution, back: solution, u: output) {
  needs len(sol.times) > 1 and len(sol.times) == len(back.times) else "both have the same kept times"
  worst = 0.0
  largest = 0.0
  last = len(sol.times) - 1
  for i in 0..last {
    state = sol[u] at sol.times[last - i]
    again = back[u] at back.times[i]
    worst = max(worst, norm(again - state))
    largest = max(largest, norm(state))
  }
  violation = worst/largest
  tolerance = 0.05
}

# --- incompressible flow ---

## [FL-DIV] The velocity has no divergence, relative to its gradient.
contract divergence_free(sol: solution, velocity: output) {
  v = sol[velocity]
  size = norm(grad(v))
  needs size > 0 else "the velocity is uniform"
  violation = norm(div(v))/size
  tolerance = 0.05
}

## [FL-FLUX] What flows in flows out, relative to the sum of both.
contract flux_balance(sol: solution, velocity: output) {
  v = sol[velocity]
  outward = integral(dot(v, n), on: all)
  passing = integral(abs(dot(v, n)), on: all)
  needs passing > 0 else "nothing crosses the boundary"
  violation = abs(outward)/passing
  tolerance = 1e-2
}

## [FL-NS] The fluid sticks to a wall, relative to its largest speed.
contract no_slip(sol: solution, velocity: output, part: boundary) {
  v = sol[velocity]
  largest = norm(v, Linf)
  needs largest > 0 else "nothing flows"
  violation = norm(v, Linf, on: part)/largest
  tolerance = 1e-2
}

# --- witnesses ---

geometry _square = rectangle(x: 0..1, y: 0..1)
_m = mesh(_square, cells: [12, 12])
_hot  = 1.0

# Steady conduction: linear between two temperatures, with a source, with Robin data.
pde _conduct(q = 0.0) on _square {
  unknown T : scalar P1
  -lap(T) == q
  on left: T == 0
  on right: T == _hot
  on others: dot(grad(T), n) == 0
}
pde _cool on _square {
  unknown T : scalar P1
  lap(T) == 0
  on left: T == 1
  on others: dot(grad(T), n) == 0.5*(0.2 - T)
}
# Cells much larger than the layers: the field overshoots below 0.
pde _layer on _square {
  unknown T : scalar P1
  -1e-4*lap(T) + T == 0
  on left: T == 1
  on others: dot(grad(T), n) == 0
}
pde _cool_down(rate = 0.0, base = 1.0) on _square {
  unknown T : scalar P1
  dt(T) == lap(T) + rate*T
  on all: dot(grad(T), n) == 0
  initially: T == base + cos(pi*x)
}
pde _stretch(load = 1.0) on _square {
  unknown u : vector P2
  div(2*eps(u)) == 0
  on left: u == 0
  on right: dot(2*eps(u), n) == (load, 0)
  on others: dot(2*eps(u), n) == 0
}
pde _cavity on _square {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: div(grad(u) - p*I) == 0
  equation p: div(u) == 0
  on left, right: u == (y*(1 - y), 0)
  on top, bottom: u == 0
  mean(p) == 0
}

test "residual" {
  accept residual(solve(_conduct, _m))
  loose = solve(_conduct, _m, solver: "cg+hypre", rtol: 1e-2)
  reject residual(loose) v algebraic_residual(loose)
}
test "balance" {
  accept balance(solve(_conduct, _m, q: 3), u: T)
  loose = solve(_conduct, _m, q: 3, solver: "cg+hypre", rtol: 1e-2)
  reject balance(loose) v imbalance(loose.T)
}
test "reaction balance" {
  accept reaction_balance(solve(_stretch, _m), u)
  loose = solve(_stretch, _m, solver: "cg+hypre", rtol: 1e-2)
  reject reaction_balance(loose) v imbalance(loose.u)
}
test "trace" {
  s = solve(_conduct, _m)
  accept trace(s, T == 0, part: left)
  reject trace(s, T == 0, part: right) v 1
  reject trace(s, T == 0, part: right, scale: 4) v 0.25
}
test "natural condition" {
  s = solve(_cool, _m)
  accept natural_condition(s, dot(grad(T), n) == 0.5*(0.2 - T), part: right)
  reject natural_condition(s, dot(grad(T), n) == 0.5*(1.2 - T), part: right) v 0.5 within 0.05
  reject natural_condition(s, dot(grad(T), n) == 0.5*(1.2 - T), part: right, scale: 2) v 0.25 within 0.05
}
test "initial state" {
  s = solve(_cool_down, _m, time: 0..0.1, step: 0.02)
  accept initial_state(s, T, 1 + cos(pi*x))
  reject initial_state(s, T, 1) v 1
  reject initial_state(s, T, 1, scale: 10) v 0.1
}
test "amplitude, range, positivity" {
  s = solve(_conduct, _m)
  accept amplitude_bound(s, T, 1) v 0
  accept amplitude_bound(s, T, 2) v 0
  reject amplitude_bound(s, T, 0.8) v 0.25
  accept range_bound(s, T, low: 0, high: 1)
  reject range_bound(s, T, low: 0.2, high: 1) v 0.25
  cooled = solve(_cool, _m)
  coldest = min(cooled.T)
  reject range_bound(cooled, T, low: coldest + 0.1, high: coldest + 1.1) v 0.1
  reject range_bound(cooled, T, low: -0.25, high: 0.75) v 0.25
  accept positivity(s)
  overshoots = solve(_layer, _m)
  reject positivity(overshoots) v abs(min(overshoots.T))
}
test "maximum principle" {
  accept maximum_principle(solve(_conduct, _m))
  accept maximum_principle(solve(_conduct, _m, q: 20))      # a source may raise T above 1, never below 0
  accept maximum_principle(solve(_cool, _m))
  accept maximum_principle(solve(_cool_down, _m, time: 0..0.1, step: 0.01, scheme: backward_euler))
  overshoots = solve(_layer, _m)
  reject maximum_principle(overshoots) v abs(min(overshoots.T))
  reject maximum_principle(overshoots, u: T)
}
test "the bounds of the maximum principle" {
  plain = data_bounds(solve(_conduct, _m).T)
  assert abs(plain.low) + abs(plain.high - 1) < 1e-12
  source = data_bounds(solve(_conduct, _m, q: 20).T)
  assert abs(source.low) < 1e-12 and source.high > 1e6
  film = data_bounds(solve(_cool, _m).T)
  assert abs(film.low - 0.2) < 1e-6 and abs(film.high - 1) < 1e-12, "Robin data pull towards 0.2"
  assert not data_bounds(solve(_stretch, _m).u).bounded
}
test "conservation, decay" {
  s = solve(_cool_down, _m, time: 0..0.1, step: 0.01)
  accept conservation(s)
  accept energy_decay(s)
  accept oscillation_decay(s, u: T)
  grown = solve(_cool_down, _m, time: 0..0.1, step: 0.01, rate: 20)
  # the content was 1 and the energy 3/2; both rise most in the last step
  reject conservation(grown, T) v integral(grown.T) - 1
  last = grown.T
  before = grown.T at 0.09
  reject energy_decay(grown) v integral(last^2)/1.5 - integral(before^2)/1.5
  reject oscillation_decay(grown) v 0.5*(max(last) - min(last) - max(before) + min(before))
  warm = solve(_cool_down, _m, time: 0..0.1, step: 0.01, rate: 20, base: 2)
  reject oscillation_decay(warm) v 0.5*(max(warm.T) - min(warm.T) - max(warm.T at 0.09) + min(warm.T at 0.09))
  accept equilibrium_kept(solve(_cool_down, _m, time: 0..4, step: 0.1, scheme: backward_euler), T, 1)
  # the slowest mode, exp(-pi^2/10)
  reject equilibrium_kept(s, T, 1) v 0.373 within 0.03
  reject equilibrium_kept(s, T, 1, scale: 10) v 0.0373 within 0.03
}
test "symmetry" {
  s = solve(_conduct, _m)
  accept symmetric_field(s, T, normal: (0, 1), through: (0.5, 0.5))
  # 1 - 2 x of x
  reject symmetric_field(s, T, normal: (1, 0), through: (0.5, 0.5)) v 1 within 0.02
  e = solve(_stretch, _m)
  accept symmetric_field(e, u, normal: (0, 1), through: (0.5, 0.5))
  reject symmetric_field(e, u, normal: (1, 0), through: (0.5, 0.5))
}
test "elasticity" {
  s = solve(_stretch, _m)
  accept work_energy(s, u, stress: 2*eps(s.u), force: (0, 0))
  more = integral(s.u.x)
  twice = integral(inner(2*eps(s.u), eps(s.u)))
  reject work_energy(s, u, stress: 2*eps(s.u), force: (1, 0)) v more/(more + 2*twice)
  accept traction_free(s, 2*eps(s.u), part: top)
  reject traction_free(s, 2*eps(s.u), part: right) v 1/sqrt(mean(abs(2*eps(s.u))^2)) within 0.05
}
# A string that swings, forwards and from its last state backwards.
geometry _cord = interval(0, 1)
pde _swing(a = 1.0, v = 0.0, drag = 0.0) on _cord {
  unknown w : scalar P2
  dtt(w) + drag*dt(w) == lap(w)
  on left, right: w == 0
  initially: w == a*sin(pi*x)
  initially: dt(w) == v*sin(pi*x)
}

test "locking" {
  s = solve(_stretch, _m)
  pulled = integral(s.u.x)
  accept no_locking(s, s.u.x, reference: pulled) v 0
  accept no_locking(s, s.u.x, reference: pulled/0.31) v 0.19
  reject no_locking(s, s.u.x, reference: pulled/0.29) v 0.21
}
test "time reversal" {
  m = mesh(_cord, cells: [8])
  s = solve(_swing, m, time: 0..0.75, step: 0.025, scheme: generalized_alpha)
  c = cos(0.75*pi)
  accept time_reversal(s, back: solve(_swing, m, time: 0..0.75, step: 0.025, scheme: generalized_alpha, a: c, v: pi*sin(0.75*pi)), u: w)
  # started again where it had started: at t = 0 it is off by 1 + |c| of 1
  reject time_reversal(s, back: s, u: w) v 1 - c within 0.02
}
test "flow" {
  s = solve(_cavity, _m)
  accept divergence_free(s, velocity: u)
  accept flux_balance(s, velocity: u)
  accept no_slip(s, u, part: top)
  reject no_slip(s, u, part: left) v 1
  outflow = project((u: (x, y)), _m)
  # a divergence of 2 and a gradient of the size of I
  reject divergence_free(outflow, velocity: u) v sqrt(2)
  reject flux_balance(outflow, velocity: u) v 1
}
