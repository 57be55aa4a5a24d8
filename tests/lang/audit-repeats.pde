# A probe that is drawn again is no further evidence: of three histories that may not be mixed there are three probes, and nine pairs.
geometry line = interval(0, 1)
pde warm(f = 0.0) on line {
  unknown T : scalar P1
  dt(T) == lap(T) + f
  on left, right: T == 0
  initially: T == 0
}
map driven {
  input f(t) from bank [sin(6*t), t, 1 - t]
  mixture: none
  output T(t) from solve(warm(f), mesh(line, cells: [4]), time: 0..1, step: 0.1)
}
model follows(f) for driven { T = 0.1*(f at (t - 0.2))*x*(1 - x) }
contracts in_time(m: model) { hard causality(m); hard initial_state(m, T == 0) tol 2 }
v = audit follows against in_time { samples: 64; seed: 2 }
assert v.checks[0].samples == 9 and v.checks[1].samples == 3 and v.passed
