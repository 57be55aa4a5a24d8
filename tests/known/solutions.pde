# Known answers: contracts of solutions and of studies. Projections of given fields stand for solutions that are wrong by a known amount; a solve is the witness that is right.

geometry square = rectangle(x: 0..1, y: 0..1)
nodes = mesh(square, cells: [12, 12])

pde conduct(q = 0.0) on square {
  unknown T : scalar P1
  -lap(T) == q
  on left: T == 0
  on right: T == 1
  on others: dot(grad(T), n) == 0
}
pde warm(rate = 0.0, start = 1.0) on square {
  unknown T : scalar P1
  dt(T) == lap(T) + rate*T
  on all: dot(grad(T), n) == 0
  initially: T == start
}
pde pulled on square {
  unknown u : vector P2
  div(2*eps(u)) == 0
  on left { u.x == 0; dot(2*eps(u), n).y == 0 }
  on bottom { u.y == 0; dot(2*eps(u), n).x == 0 }
  on right: dot(2*eps(u), n) == (1, 0)
  on top: dot(2*eps(u), n) == 0
}

test "solutions: equations and data" {
  s = solve(conduct, nodes)
  loose = solve(conduct, nodes, q: 3, solver: "cg+hypre", rtol: 1e-2)
  accept residual(s)
  reject residual(loose) v algebraic_residual(loose)
  accept balance(s)
  reject balance(loose) v imbalance(loose.T)
  skip balance(solve(warm, nodes, time: 0..0.1, step: 0.1))
  accept trace(s, T == 0, part: left) v 0
  reject trace(s, T == 0.1, part: left) v 0.1
  accept natural_condition(s, dot(grad(T), n) == 1, part: right)
  reject natural_condition(s, dot(grad(T), n) == 3, part: right) v 2
}
test "solutions: bounds" {
  s = solve(conduct, nodes)
  undershoots = project((T: x - 0.1), nodes)
  accept amplitude_bound(s, T, 1) v 0
  reject amplitude_bound(s, T, 0.8) v 0.25
  accept range_bound(s, T, low: 0, high: 1)
  reject range_bound(s, T, low: 0.1, high: 0.6) v 0.8
  accept maximum_principle(s)
  accept positivity(s)
  reject positivity(undershoots, T) v 1/9
  skip range_bound(s, T, low: 1, high: 0)
}
test "solutions: evolution" {
  # a rate of 1 by the trapezoidal rule in ten steps of 0.1: each multiplies by 1.05/0.95
  s = solve(warm, nodes, time: 0..1, step: 0.1, rate: 1, scheme: crank_nicolson)
  r = 1.05/0.95
  reject conservation(s) v r^10 - 1
  reject energy_decay(s) v r^20 - r^18
  reject equilibrium_kept(s, T, 1) v r^10 - 1
  calm = solve(warm, nodes, time: 0..1, step: 0.1)
  accept conservation(calm)
  accept energy_decay(calm)
  accept oscillation_decay(calm)
  accept equilibrium_kept(calm, T, 1)
  accept initial_state(calm, T, 1)
  reject initial_state(calm, T, 1.2) v 0.2
  # nothing varies at first, and nothing afterwards; from nothing
  accept oscillation_decay(solve(warm, nodes, time: 0..1, step: 0.1, rate: 1)) v 0
  cold = solve(warm, nodes, time: 0..0.2, step: 0.1, start: 0)
  skip energy_decay(cold)
  skip oscillation_decay(cold)
  skip conservation(cold)
  skip positivity(cold)
  skip conservation(solve(conduct, nodes))
}
test "solutions: bodies and flows" {
  e = solve(pulled, nodes)
  accept reaction_balance(e)
  # no force: all balances; a force of (1, 0) does the work of the displacement on it
  accept work_energy(e, u, stress: 2*eps(e.u), force: (0, 0))
  extra = integral(e.u.x)
  inner_work = integral(inner(2*eps(e.u), eps(e.u)))
  reject work_energy(e, u, stress: 2*eps(e.u), force: (1, 0)) v extra/(extra + 2*inner_work)
  accept traction_free(e, 2*eps(e.u), part: top)
  reject traction_free(e, 2*eps(e.u), part: right) v 1
  source = project((v: (x, y)), nodes)
  spin = project((v: (-y, x)), nodes)
  # a divergence of 2 and a gradient of the size of I; all flows out; a wall that moves with half of the largest
  reject divergence_free(source, velocity: v) v sqrt(2)
  accept divergence_free(spin, velocity: v) v 0
  reject flux_balance(source, velocity: v) v 1
  accept flux_balance(spin, velocity: v)
  reject no_slip(spin, v, part: left) v 1/sqrt(2)
  # mirrored it is (y, 1 - x): off by (-2 y, 2 x - 1)
  reject symmetric_field(spin, v, normal: (1, 0), through: (0.5, 0.5)) v sqrt(2.5)
  still = project((v: (0*x, 0*y)), nodes)
  skip divergence_free(still, velocity: v)
  skip flux_balance(still, velocity: v)
  skip no_slip(still, v, part: left)
}

# --- studies ---

geometry line = interval(0, 1)
field bump = sin(pi*x)
pde poisson on line {
  unknown u : scalar P1
  -lap(u) == pi^2*bump
  on all: u == 0
}
# u = exp(-t), uniform: its error is the scheme's alone
pde fall on line {
  unknown u : scalar P1
  dt(u) == lap(u) - u
  on all: dot(grad(u), n) == 0
  initially: u == 1
}
test "MS-ORD-S" {
  s = refine(poisson, exact: (u: bump), cells: [16, 32, 64])
  accept order(s, L2, expected: 2)
  accept order(s, H1, expected: 1)
  reject order(s, L2, expected: 3) v 1
  reject order(s, H1, expected: 2) v 1
  accept order_at_least(s, L2, expected: 1) v 0
  reject order_at_least(s, L2, expected: 3) v 1
}
test "MS-ORD-T" {
  be = refine(fall, exact: (u: exp(-t)), mesh: mesh(line, cells: [2]), time: 0..1, steps: [0.05, 0.025, 0.0125], scheme: backward_euler)
  accept time_order(be, L2, expected: 1)
  reject time_order(be, L2, expected: 2) v 1 within 0.02
  cn = refine(fall, exact: (u: exp(-t)), mesh: mesh(line, cells: [2]), time: 0..1, steps: [0.05, 0.025, 0.0125], scheme: crank_nicolson)
  accept time_order(cn, L2, expected: 2)
  reject time_order(cn, L2, expected: 1) v 1
}
test "MS-ISO" {
  s = refine(poisson, exact: (u: bump), cells: [4, 8])
  accept spatial_isolation(s, space: 0.05, time: 1) v 0.5
  reject spatial_isolation(s, space: 0.2, time: 1) v 2
  reject spatial_isolation(s, space: 1e-3, time: 0) v 1e28
}
test "MS-EQC" {
  m = mesh(line, cells: [8])
  still = solve(fall, m, time: 0..1, step: 0.5)
  accept equilibrium_control(still, u, still.u + 0.5e-8) v 0.5
  reject equilibrium_control(still, u, still.u + 2e-8) v 2
  reject equilibrium_control(still, u, still.u + 0.5e-8, smallest: 1e-8) v 5
  skip equilibrium_control(solve(poisson, m), u, bump)
}
test "MS-PATCH" {
  m = mesh(line, cells: [8])
  accept patch(project((u: 1 + x), m), u, 1 + x)
  reject patch(project((u: 1 + x), m), u, (1 + x)*(1 + 2e-8)) v 2
  reject patch(project((u: 0*x), m), u, 1 + x) v 1e8
}
test "MS-TOL" {
  m = mesh(line, cells: [8])
  flat = project((u: x), m)
  accept tolerance_insensitive(flat, tighter: project((u: x*(1 + 0.5e-6)), m), u: u) v 0.5
  reject tolerance_insensitive(flat, tighter: project((u: x*(1 + 2e-6)), m), u: u) v 2
}
test "MS-PAR" {
  m = mesh(line, cells: [8])
  flat = project((u: x), m)
  accept rank_agreement(flat, other: flat, u: u) v 0
  reject rank_agreement(flat, other: project((u: x*(1 + 2e-7)), m), u: u) v 2
}
