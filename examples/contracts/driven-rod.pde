# status 2
# A rod heated over time, and three guesses of its temperature: one that lags behind the heating, one that knows it before it comes, and one that
# says nothing. Small errors do not tell them apart; contracts do.
geometry rod = interval(0, 1)
pde warm(f = 0.0) on rod {
  unknown T : scalar P1
  dt(T) == 0.1*lap(T) + f
  on left, right: T == 0
  initially: T == 0
}

# Histories of the heating: the bank, and mixtures of it with coefficients whose sizes add up to 1 at most.
map driven {
  input f(t) from bank [sin(6*t), t, t^2, 1 - t]
  output T(t) from solve(warm(f), mesh(rod, cells: [16]), time: 0..1, step: 0.05)
  mixture: balanced
}
model lags(f)     for driven { T = 2*t*(f at (t - 0.1))*x*(1 - x) }
model foresees(f) for driven { T = 2*t*(f at (t + 0.1))*x*(1 - x) }
model silent(f)   for driven { T = 1e-3*t*f*x*(1 - x) }

contracts heated(m: model) {
  hard causality(m)
  hard causality(m, split: 0.25)
  hard superposition(m, loads: f)
  hard initial_state(m, T == 0)
  hard trace(m, T == 0, part: left)
}
audit driven against heated { samples: 4; seed: 1 }
audit lags against heated { samples: 32; seed: 1 }
v = audit foresees against heated { samples: 32; seed: 1; adversary { starts: 4; steps: 40 } }
print(len(v.failures), "contracts fail; the worst violation is", f"{v.viol_max:.3g}", "times its tolerance")
w = audit silent against heated { samples: 32; seed: 1 }
print("fails:", w.failures[0].contract)
