## Contracts of fitted laws: what the fit of a hypothesis to trajectories must show before its fields are used. Known without an import, as those of solutions.

## [LW-NULL] The law u_t = 0 leaves all of u_t: its score is 1, or the norm of the evaluator is not what it says. A test of the evaluator on these data.
contract null_law(f: fit, expected = 1.0) {
  violation = abs(f.null_score - expected)
  tolerance = 5e-2
}

## [LW-CONST] A constant state stays where it is, if the law has no reaction and no source: largest rate of the law with its fitted fields at a constant state of
## the size of the data, over the root mean square of u_t. Theory: a law of derivatives alone; lap(C*u) is not one, its C_xx u is a reaction.
contract constant_state(f: fit) {
  needs not f.sources else "the law has a reaction or a source"
  violation = f.constant_rate
  tolerance = 1e-9
}

## [LW-CONS] A law in divergence form changes the sum of the state through the sides alone. A change of the state inside, flat at the sides, changes the sum of the
## rate by what is no divergence: that, over the sum of sizes. Theory: Gauss.
contract law_conserves(f: fit) {
  violation = f.leak
  tolerance = 1e-3
}

## [LW-ELL] The principal part dissipates: share of the domain, weighed by the information of the fields, where its matrix has a negative eigenvalue, so that
## short waves grow. Theory: parabolicity; where it is lost the law is ill-posed forward in time.
contract dissipative(f: fit) {
  needs f.second_order else "the law is not of second order in space"
  violation = f.backward
  tolerance = 5e-2
}

## [LW-ROLL] Solved forward over time that it was not fitted on, the law stays within three times the largest size of the data.
contract bounded_rollout(f: fit) {
  violation = f.growth/3
  tolerance = 1
}

## [LW-XFER] The field of one trajectory is the field of the other: relative L2 difference, weighed by information; of several fields the largest.
contract field_transfer(f: fit) {
  needs f.trajectories > 1 else "there is one trajectory"
  needs f.fields > 0 else "the law has no field"
  violation = f.transfer
  tolerance = 0.3
}

## [LW-UNIT] The terms of the law carry one unit: every field has one that makes all of its terms the unit of u_t, and functions take numbers.
contract law_units(f: fit) {
  violation = if f.homogeneous then 0 else 1
  tolerance = 0.5
}

## [LW-NEST] A term more is kept if it reduces the residual by more than the standard error of that, from a bootstrap over blocks: `smaller` is the fit without it.
contract nested_gain(f: fit, smaller: fit) {
  violation = f.standard_error/max(smaller.score - f.score, 1e-6*f.standard_error)
  tolerance = 1
}

# --- witnesses ---
# Two films of heat in a rod, by sums of modes: the law that made them, and others that their contracts have to catch.

discovery _rod {
  state u(x, t)
  trajectories: "u_1.npz", "u_2.npz"
  language { order: 2; fields: 3; nodes: 40 }
}
hypothesis _conduction for _rod {
  unknown field D(x)
  dt(u) == dx(D*dx(u))
}
hypothesis _loses for _rod {
  unknown field D(x), k(x)
  dt(u) == D*lap(u) - k*u
}
hypothesis _squeezed for _rod {
  unknown field D(x)
  dt(u) == lap(D*u)
}
hypothesis _moves for _rod {
  unknown field c(x)
  dt(u) == c*dx(u)
}
hypothesis _more for _rod {
  unknown field D(x), c(x)
  dt(u) == dx(D*dx(u)) + c*u^2
}

geometry _line = interval(0, 1)

# u_t = (d u_x)_x - k u with values at the ends that move, sampled at 48 places and 48 times; films of other seeds are of other states.
pde _heat(d = 0.02, k = 0.0, g = 0.0) on _line {
  unknown u : scalar P2
  dt(u) == d*lap(u) - k*u
  on all: u == g
  initially: u == g
}
fn _film(seed, d, k) {
  sol = solve(_heat, mesh(_line, cells: [47]), d: d, k: k, g: random_waves(8, wavenumber: 0.5..2, frequency: 0..1, seed: seed, dim: 1), time: 0..1, step: 1/141, scheme: crank_nicolson, keep: 3)
  return noisy(sampled(sol.u, [48]), 1%, seed: seed)
}
# Heat that gathers: waves that grow as fast as they should decay.
field _grows(k, p) = sin(k*x + p)*exp(0.02*k^2*(t - 1))
fn _gathers(seed) {
  field u = _grows(9, seed) + _grows(6, 2*seed) + 2*_grows(4, 3*seed)
  return noisy(sampled(u + 0*project(x, mesh(_line, cells: [47])).u, [48], times: linspace(0, 1, 48), as: "u"), 1%, seed: seed)
}
fn _fits(law, d, k) = fit(law, trajectories: [_film(1, d, k), _film(2, d, k)])

test "LW-NULL" {
  accept null_law(_fits(_conduction, 0.02, 0))
  reject null_law(_fits(_conduction, 0.02, 0), expected: 1.1)
}
test "LW-CONST" {
  accept constant_state(_fits(_conduction, 0.02, 0))
  reject constant_state(_fits(_squeezed, 0.02, 0))
  skip constant_state(_fits(_loses, 0.02, 1))
}
test "LW-CONS" {
  accept law_conserves(_fits(_conduction, 0.02, 0))
  reject law_conserves(_fits(_loses, 0.02, 1))
}
test "LW-ELL" {
  accept dissipative(_fits(_conduction, 0.02, 0))
  reject dissipative(fit(_conduction, trajectories: [_gathers(1), _gathers(2)]))
  skip dissipative(_fits(_moves, 0.02, 0))
}
test "LW-ROLL" {
  accept bounded_rollout(_fits(_conduction, 0.02, 0))
  reject bounded_rollout(fit(_conduction, trajectories: [_gathers(1), _gathers(2)]))
}
test "LW-XFER" {
  accept field_transfer(_fits(_conduction, 0.02, 0))
  # each film of its own conductivity
  reject field_transfer(fit(_conduction, trajectories: [_film(1, 0.01, 0), _film(2, 0.03, 0)]))
  skip field_transfer(fit(_conduction, trajectories: _film(1, 0.02, 0)))
}
test "LW-UNIT" {
  accept law_units(_fits(_conduction, 0.02, 0))
}
test "LW-NEST" {
  accept nested_gain(_fits(_loses, 0.02, 1), _fits(_conduction, 0.02, 1))
  reject nested_gain(_fits(_more, 0.02, 0), _fits(_conduction, 0.02, 0))
}
