# A failure of an audit over histories is kept with the mixture that it is made of, so that a later search begins there: with one start and one step it
# has at least what the bank has.
#! status 2
geometry line = interval(0, 1)
pde warm(f = 0.0) on line {
  unknown T : scalar P1
  dt(T) == lap(T) + f
  on left, right: T == 0
  initially: T == 0
}
map mixed {
  input f(t) from bank [sin(6*t), t, 1 - t, cos(9*t)]
  output T(t) from solve(warm(f), mesh(line, cells: [4]), time: 0..1, step: 0.1)
}
model early(f) for mixed { T = 0.1*((f at (t + 0.2)) + f^3)*x*(1 - x) }
contracts lin(m: model) { hard causality(m) }
a = audit early against lin { samples: 32; seed: 2; bank: "bank-of-histories.json"; adversary { starts: 8; steps: 100 } }
b = audit early against lin { samples: 2; seed: 9; bank: "bank-of-histories.json"; adversary { starts: 1; steps: 1 } }
c = audit early against lin { samples: 2; seed: 9; adversary { starts: 1; steps: 1 } }
assert a.checks[0].adversary > 15 and b.checks[0].adversary > 15, f"{a.checks[0].adversary}, {b.checks[0].adversary}"
assert c.checks[0].adversary < 0.9*b.checks[0].adversary, f"{c.checks[0].adversary}"
