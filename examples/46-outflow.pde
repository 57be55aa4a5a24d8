# Two ways to let a fluid out, which are not the same: no traction, and "do nothing".
#
# Shows: what is prescribed at an outlet depends on the stress that the equation is written with; the library flow/incompressible names both.
# Comes out: pseudo_stress, mu grad(u) - p I, leaves a parallel flow undisturbed (do nothing, Heywood, Rannacher and Turek 1996); fluid_stress,
# 2 mu eps(u) - p I, is the true force, and without it the jet spreads like one that leaves a pipe into still air.

import "flow/incompressible"
geometry channel = rectangle(x: 0..3, y: 0..1)
pde do_nothing(mu = 0.5) on channel {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: div(pseudo_stress(u, p, mu)) == 0
  equation p: div(u) == 0
  on left: u == (parabola(y, 0, 1, 1), 0)
  on top, bottom: u == 0
  on right: dot(pseudo_stress(u, p, mu), n) == 0
}
pde no_traction(mu = 0.5) on channel {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: div(fluid_stress(u, p, mu)) == 0
  equation p: div(u) == 0
  on left: u == (parabola(y, 0, 1, 1), 0)
  on top, bottom: u == 0
  on right: dot(fluid_stress(u, p, mu), n) == 0
}

m = mesh(channel, cells: [24, 8])
open = solve(do_nothing, m); jet = solve(no_traction, m)
print(f"across the outlet at most: do nothing {max(abs(open.u.y), on: right):.4f}, no traction {max(abs(jet.u.y), on: right):.4f}")
print(f"true force on the outlet per height: do nothing {integral(abs(dot(fluid_stress(open.u, open.p, 0.5), n)), on: right):.3f}")
check open against norm(open.u - (parabola(y, 0, 1, 1), 0*x), Linf) <= 1e-9, max(abs(open.u.y), on: right) <= 1e-9
check jet against flux_balance(jet, velocity: u), abs(jet.u.x(1, 0.5) - open.u.x(1, 0.5)) <= 1e-2     # the outlet is felt over a height or so
assert max(abs(jet.u.y), on: right) > 0.05, "the jet does not spread"
