# Known answers: fits of laws to exact solutions of u_t = d u_xx, a wave a time, with little noise and with units.

discovery rod {
  state T(x, t)
  trajectories: "T_1.npz", "T_2.npz"
  language { order: 2; functions: [tanh]; fields: 2; nodes: 40 }
}
hypothesis conduction for rod {
  unknown field D(x)
  dt(T) == dx(D*dx(T))
}
hypothesis loses for rod {
  unknown field D(x), k(x)
  dt(T) == dx(D*dx(T)) - k*T
}
hypothesis squeezed for rod {
  unknown field D(x)
  dt(T) == lap(D*T)
}
hypothesis saturates for rod {
  unknown field D(x), k(x)
  dt(T) == dx(D*dx(T)) - k*tanh(T)
}

geometry line = interval(0 [m], 1 [m])
grid = project(x, mesh(line, cells: [47])).u
field wave(k, p, d, r) = sin(k*x/(1 [m]) + p)*exp(-(d*k^2 + r)*(t/(1 [s])))*1 [K]

# Waves that decay by diffusion d and loss r; d below 0: that grow.
fn film(seed, d, r) {
  field T = wave(9, seed, d, r) + wave(6, 2*seed, d, r) + 2*wave(4, 3*seed, d, r)
  return noisy(sampled(T + 0*grid/(1 [m])*(1 [K]), [48], times: linspace(0 [s], 1 [s], 48), as: "T"), 0.5%, seed: seed)
}
fn fits(law, d, r) = fit(law, trajectories: [film(1, d, r), film(2, d, r)])
exact = fits(conduction, 0.02, 0)
growing = fits(conduction, -0.02, 0)
losing = fits(loses, 0.02, 1)

test "LW-NULL" {
  accept null_law(exact) v 0
  reject null_law(exact, expected: 1.2) v 0.2
}
test "LW-CONST" {
  accept constant_state(exact) v 0
  reject constant_state(fits(squeezed, 0.02, 0))
}
test "LW-CONS" {
  accept law_conserves(exact)
  reject law_conserves(losing)
}
test "LW-ELL" {
  accept dissipative(exact) v 0
  reject dissipative(growing) v 1
}
test "LW-ROLL" {
  accept bounded_rollout(exact)
  reject bounded_rollout(growing)
}
test "LW-XFER" {
  accept field_transfer(exact)
  reject field_transfer(fit(conduction, trajectories: [film(1, 0.01, 0), film(2, 0.03, 0)]))
}
test "LW-UNIT" {
  accept law_units(exact) v 0
  reject law_units(fits(saturates, 0.02, 0)) v 1
}
test "LW-NEST" {
  accept nested_gain(losing, fits(conduction, 0.02, 1))
  # the same again gains nothing: a standard error over a millionth of it
  reject nested_gain(exact, exact) v 1e6
}
