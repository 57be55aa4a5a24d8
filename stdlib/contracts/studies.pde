## Contracts of studies: what the numbers of a refinement must show. Known without an import, as those of solutions.

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
  accept order_at_least(s, L2, expected: 1.5)
  reject order(s, L2, expected: 1)
  reject order_at_least(s, H1, expected: 2)
}
test "a kink costs order" { reject order(refine(_rough, exact: (u: _kink), cells: [8, 16, 32]), L2, expected: 2) }
test "time order" {
  be = refine(_heat, exact: (u: _decay), mesh: mesh(_line, cells: [64]), time: 0..1, steps: [0.2, 0.1, 0.05], scheme: backward_euler)
  accept time_order(be, L2, expected: 1)
  reject time_order(be, L2, expected: 2)
  cn = refine(_heat, exact: (u: _decay), mesh: mesh(_line, cells: [64]), time: 0..1, steps: [0.2, 0.1, 0.05], scheme: crank_nicolson)
  accept time_order(cn, L2, expected: 2, within: 0.1)
  reject time_order(cn, L2, expected: 1)
}
