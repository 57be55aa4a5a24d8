## Contracts of studies: what the numbers of a refinement must show, and what a computation must not depend on. Known without an import, as those of solutions.

## [MS-ORD-S] The observed order of the last refinement of the mesh is the expected one: `order(study, L2, expected: 2)`.
## Theory: an element of degree p converges with order p + 1 in L2 and p in H1 where the solution is smooth.
contract order(s: study, norm, expected: real, within = 0.2) {
  violation = abs(observed_order(s, norm) - expected)
  tolerance = within
}

## [MS-ORD-T] The observed order of the last refinement of the step: backward Euler 1, Crank-Nicolson and BDF2 2. Within 0.2 of it for
## order 1, 0.35 for order 2, unless said otherwise.
contract time_order(s: study, norm, expected: real, within = 0.0) {
  violation = abs(observed_order(s, norm) - expected)
  tolerance = if within > 0 then within else if expected < 1.5 then 0.2 else 0.35
}

## Not less than the expected order: where superconvergence may help.
contract order_at_least(s: study, norm, expected: real, within = 0.2) {
  violation = max(0, expected - observed_order(s, norm))
  tolerance = within
}

# --- what a computation must not depend on ---

## [MS-ISO] Orders in time are seen where the error in space is small beside them: R = space/time, errors of the same norm at the smallest step, at most a
## tenth. `space` is that of the field without error in time, by Richardson's extrapolation.
contract spatial_isolation(steps: study, space, time) {
  violation = space/max(time, 1e-30)/0.1
  tolerance = 1
}

## [MS-EQC] Started in equilibrium a computation stays there: ||u - state|| at the last time is below 1e-8, and a tenth of `smallest`, the least error of
## the moving cases that it is a control of.
contract equilibrium_control(sol: solution, u: output, state: field, smallest = 1.0) {
  needs len(sol.times) > 1 else "the solution is steady"
  error = norm(sol[u] - state)
  violation = max(error/1e-8, error/(0.1*smallest))
  tolerance = 1
}

## [MS-PATCH] A field that the elements contain is found to round-off: linear pressure, constant strain. Relative to the field, against 1e-8.
contract patch(sol: solution, u: output, exact: field) {
  violation = norm(sol[u] - exact)/norm(0*sol[u] + exact)/1e-8
  tolerance = 1
}

## [MS-TOL] Tighter tolerances of the solver change nothing: relative change against 1e-6. `tighter` is the solution with them.
contract tolerance_insensitive(sol: solution, tighter: solution, u: output) {
  violation = norm(sol[u] - tighter[u])/norm(tighter[u])/1e-6
  tolerance = 1
}

## [MS-PAR] One rank and several give the same: relative change against 1e-7. `other` is the solution loaded from the run with another number of ranks.
contract rank_agreement(sol: solution, other: solution, u: output) {
  violation = norm(sol[u] - other[u])/norm(other[u])/1e-7
  tolerance = 1
}

# --- witnesses ---

geometry _line = interval(0, 1)
field _wave = sin(pi*x)
field _decay = exp(-t)*sin(pi*x)
field _kink = abs(x - 0.3)^1.1

pde _poisson on _line {
  unknown u : scalar P1
  -lap(u) == pi^2*_wave
  on all: u == 0
}
# The source is of a kinked field: its order is below 2.
pde _rough on _line {
  unknown u : scalar P1
  u - 1e-9*lap(u) == _kink
  on all: dot(1e-9*grad(u), n) == 0
}
pde _heat on _line {
  unknown u : scalar P2
  dt(u) == lap(u) + (pi^2 - 1)*_decay
  on all: u == 0
  initially: u == _wave
}

test "order" {
  s = refine(_poisson, exact: (u: _wave), cells: [8, 16, 32])
  accept order(s, L2, expected: 2, within: 0.1)
  accept order(s, H1, expected: 1, within: 0.1)
  accept order_at_least(s, L2, expected: 1.5) v 0
  reject order(s, L2, expected: 1) v 1 within 0.05
  reject order_at_least(s, H1, expected: 2) v 1 within 0.05
}
test "a kink costs order" { reject order(refine(_rough, exact: (u: _kink), cells: [8, 16, 32]), L2, expected: 2) }
test "time order" {
  be = refine(_heat, exact: (u: _decay), mesh: mesh(_line, cells: [64]), time: 0..1, steps: [0.2, 0.1, 0.05], scheme: backward_euler)
  accept time_order(be, L2, expected: 1)
  reject time_order(be, L2, expected: 2) v 1 within 0.1
  cn = refine(_heat, exact: (u: _decay), mesh: mesh(_line, cells: [64]), time: 0..1, steps: [0.2, 0.1, 0.05], scheme: crank_nicolson)
  accept time_order(cn, L2, expected: 2, within: 0.1)
  reject time_order(cn, L2, expected: 1)
}
pde _linear(s = 1.0) on _line {
  unknown u : scalar P1
  lap(u) == 0
  on left: u == 1
  on right: u == 1 + s
}
test "spatial isolation" {
  s = refine(_poisson, exact: (u: _wave), cells: [4, 8])
  accept spatial_isolation(s, space: 0.9e-3, time: 1e-2) v 0.9
  reject spatial_isolation(s, space: 1.1e-3, time: 1e-2) v 1.1
}
test "equilibrium control" {
  m = mesh(_line, cells: [8])
  moves = solve(_heat, m, time: 0..0.1, step: 0.05)
  accept equilibrium_control(moves, u, moves.u + 0.9e-8) v 0.9
  reject equilibrium_control(moves, u, moves.u + 1.1e-8) v 1.1
  reject equilibrium_control(moves, u, moves.u + 0.9e-8, smallest: 0.75e-7) v 1.2
  reject equilibrium_control(moves, u, _wave)
}
test "patch" {
  m = mesh(_line, cells: [8])
  accept patch(solve(_linear, m), u, 1 + x)
  reject patch(solve(_linear, m), u, (1 + x)*(1 + 1.1e-8)) v 1.1
  reject patch(solve(_linear, m), u, 1 - x)
}
test "tolerances, ranks" {
  m = mesh(_line, cells: [8])
  one = solve(_poisson, m)
  accept tolerance_insensitive(one, tighter: solve(_poisson, m, rtol: 1e-14), u: u)
  accept rank_agreement(one, other: solve(_poisson, m), u: u)
  flat = project((u: x), m)
  accept tolerance_insensitive(flat, tighter: project((u: x*(1 + 0.9e-6)), m), u: u) v 0.9
  reject tolerance_insensitive(flat, tighter: project((u: x*(1 + 1.1e-6)), m), u: u) v 1.1
  accept rank_agreement(flat, other: project((u: x*(1 + 0.9e-7)), m), u: u) v 0.9
  reject rank_agreement(flat, other: project((u: x*(1 + 1.1e-7)), m), u: u) v 1.1
}
