# A contract of steady problems on a run through time, and the other way round: skipped with the reason, while checking too.
geometry rod = interval(0, 1)
pde heat on rod {
  unknown u : scalar P1
  dt(u) == lap(u)
  on all: u == 0
  initially: u == sin(pi*x)
}
pde rest on rod {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u == 0
}
m = mesh(rod, cells: [8])
moving = solve(heat, m, time: 0..0.1, step: 0.05)
still = solve(rest, m)
print(moving.steady, still.steady)
a = check moving against balance(moving), reaction_balance(moving)
b = check still against conservation(still), energy_decay(still), balance(still)
print(a.passed, b.passed)
#! expect: false true
#! expect: check moving
#! expect:   skipped hard balance           the problem is transient: conservation() and history() follow its content in time
#! expect:   skipped hard reaction_balance  the body is not at rest
#! expect: check still
#! expect:   skipped hard conservation  the solution is steady
#! expect:   skipped hard energy_decay  the solution is steady
#! expect:   pass    hard balance       violation 0, tolerance 1e-07
#! expect: true true
