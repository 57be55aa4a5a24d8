# Steps by error control: the tolerance is met, far fewer steps than equal ones, rejected steps leave no trace, output times are hit,
# runs continue as if they had never stopped.
geometry line = interval(0, 1)
geometry square = rectangle(x: 0..1, y: 0..1)

# A fast transient, then slow: u -> cos(t) with the rate 1000. Exactly (1 - a)*exp(-1000 t) + a*cos(t) + b*sin(t).
pde stiff on line {
  unknown u : scalar P1
  dt(u) == 1000*(cos(t) - u)
  initially: u == 0
}
m = mesh(line, cells: [1])
a = 1000^2/(1000^2 + 1)
b = 1000/(1000^2 + 1)
fn exact(t) = -a*exp(-1000*t) + a*cos(t) + b*sin(t)
fn worst(s) {
  most = 0.0
  for t in s.times { most = max(most, abs((s.u at t)(0.5) - exact(t))) }
  return most
}
for scheme in ["backward_euler", "bdf2", "generalized_alpha"] {
  tol = 1e-4
  s = solve(stiff, m, time: 0..5, step: auto, tol: tol, scheme: scheme)
  e = worst(s)
  # documented: a stiff run stays within 10 times the tolerance
  assert e < 10*tol, f"{scheme}: error {e:.2e} with the tolerance {tol}"
  equal = ceil(5/s.smallest_step)
  assert s.steps < equal/20, f"{scheme}: {s.steps} steps, equal ones of the shortest would be {equal}"
  print(f"ok {scheme}: error {e:.1e} with tolerance {tol}, {s.steps} steps and {s.rejected} rejected, {s.smallest_step:.1e} to {s.largest_step:.2f}")
}
# the same error with equal steps
s = solve(stiff, m, time: 0..5, step: auto, tol: 1e-4, scheme: bdf2)
e = worst(s)
many = 10*s.steps
few = solve(stiff, m, time: 0..5, step: 5/many, scheme: bdf2)
assert worst(few) > 10*e, "ten times as many equal steps are as good"
print(f"ok ten times as many equal steps have an error of {worst(few):.1e}, these one of {e:.1e}")

# Smaller tolerances give smaller errors: the error falls at least as tol^(2/3).
pde ring on line {
  unknown u : scalar P1
  dtt(u) == -4*pi^2*u
  initially: u == 1
  initially: dt(u) == 0
}
before = 0.0
for tol in [1e-4, 1e-5, 1e-6] {
  s = solve(ring, m, time: 0..3, step: auto, tol: tol)
  e = abs(s.u(0.5) - 1)
  assert e < 100*tol, f"an oscillation: error {e:.2e} with the tolerance {tol}"
  if before > 0 { assert e < before/3, "the error does not fall with the tolerance" }
  before = e
  print(f"ok oscillation over 3 periods: tolerance {tol}, error {e:.1e}, {s.steps} steps")
}

# Output times are hit exactly, and the step goes on as before.
s = solve(stiff, m, time: 0..1, step: auto, tol: 1e-3, outputs: [0.1, 0.25, 1/3], keep: last)
assert len(s.times) == 5 and s.times[1] == 0.1 and s.times[2] == 0.25 and s.times[3] == 1/3 and s.time == 1, f"times {s.times}"
print("ok output times are hit exactly")

# A jump in the data is stepped over.
pde jump on line {
  unknown u : scalar P1
  dt(u) == lap(u)
  on left: u == (if t > 0.3 then 1 else 0)
  on right: u == 0
  initially: u == 0
}
l = mesh(line, cells: [40])
s = solve(jump, l, time: 0..2, step: auto, tol: 1e-4)
assert abs(s.u(0.5) - 0.5) < 1e-3, "after the jump"
print(f"ok a jump: {s.steps} steps, {s.rejected} rejected, shortest {s.smallest_step:.1e}")

# A run in two parts is the run in one, for every scheme, in bits or nearly.
pde shaken on square {
  unknown u : scalar P2
  unknown w : scalar P1
  equation u: dtt(u) + 0.1*dt(u) == lap(u) + sin(3*t)*w
  equation w: dt(w) == lap(w) - w^3 + u
  on all: u == 0
  on left: w == t
  on others: dot(grad(w), n) == 0
  initially: u == x*(1 - x)*y*(1 - y)
  initially: dt(u) == 0
  initially: w == 0
}
p = mesh(square, cells: [5, 5])
for scheme in ["backward_euler", "bdf2", "crank_nicolson", "generalized_alpha"] {
  whole = solve(shaken, p, time: 0..0.5, step: 0.03125, scheme: scheme)
  first = solve(shaken, p, time: 0..0.25, step: 0.03125, scheme: scheme)
  save(first, "part.h5")
  second = solve(shaken, p, time: 0.25..0.5, step: 0.03125, scheme: scheme, from: load("part.h5"))
  gap = norm(whole.u - second.u)/norm(whole.u) + norm(whole.w - second.w)/norm(whole.w)
  assert gap < 1e-12, f"{scheme}: in two parts it differs by {gap:.1e}"
  again = solve(shaken, p, time: 0.25..0.5, step: 0.03125, scheme: scheme, from: first)
  assert norm(again.u - second.u) == 0 and norm(again.w - second.w) == 0, "the file is not what was in memory"
  f1 = flux(whole.u, left)
  f2 = flux(second.u, left)
  assert abs(f1 - f2) < 1e-9*abs(f1), f"{scheme}: fluxes {f1} and {f2}"
  print(f"ok {scheme}: in two parts it differs by {gap:.0e}")
}
whole = solve(shaken, p, time: 0..0.5, step: auto, tol: 1e-4, outputs: [0.25])
first = solve(shaken, p, time: 0..0.25, step: auto, tol: 1e-4)
second = solve(shaken, p, time: 0.25..0.5, step: auto, tol: 1e-4, from: first)
gap = norm(whole.u - second.u)/norm(whole.u)
assert gap < 1e-3, f"automatic steps in two parts differ by {gap:.1e}"
print(f"ok automatic steps in two parts differ by {gap:.0e}")

# Newton fails in a long step: it is halved, and the result is that of short ones.
pde blow on line {
  unknown u : scalar P1
  dt(u) == 50*sqrt(u)*(2 - u) - 20*u^3
  initially: u == 0.01
}
s = solve(blow, m, time: 0..1, step: 0.5, scheme: bdf2, max_newton: 3)
fine = solve(blow, m, time: 0..1, step: 0.001, scheme: bdf2)
assert s.rejected > 0 and abs(s.u(0.5) - fine.u(0.5)) < 0.01, f"{s.rejected} halved, {s.u(0.5)} and {fine.u(0.5)}"
print(f"ok Newton failed {s.rejected} times, the steps were halved")

# A sweep over a parameter of a run through time.
pde decay(k = 1.0) on line {
  unknown u : scalar P2
  dt(u) == k*lap(u)
  on all: u == 0
  initially: u == sin(pi*x)
}
table_ = sweep(decay, l, k: [0.05, 0.1, 0.2], time: 0..1, step: auto, tol: 1e-5, measure: (top: max(u)))
for (k, top) in [(0.05, table_.top[0]), (0.1, table_.top[1]), (0.2, table_.top[2])] {
  assert abs(top - exp(-k*pi^2)) < 1e-4, f"sweep: {top} for k = {k}"
}
print("ok a sweep through time")

# At rest until something starts: the beginning is found, whatever the size of what follows.
pde late(size = 1.0) on line {
  unknown u : scalar P2
  dt(u) == lap(u) + size*max(t - 0.61803, 0)*cos(pi*x)
  on all: dot(grad(u), n) == 0
  initially: u == 0
}
m = mesh(line, cells: [16])
# exactly size*cos(pi x)*(s/pi^2 - (1 - exp(-pi^2 s))/pi^4) with the time s since the start
since = 2 - 0.61803
amplitude = since/pi^2 - (1 - exp(-pi^2*since))/pi^4
for size in [1, 1e-12] {
  s = solve(late, m, time: 0..2, step: auto, tol: 1e-4, size: size)
  e = norm(s.u - size*amplitude*cos(pi*x))/(size*amplitude)
  assert e < 1e-3 and s.steps < 400, f"late start of size {size}: error {e:.1e}, {s.steps} steps"
  print(f"ok at rest until t = 0.618, then of size {size:.0e}: error {e:.1e}, {s.steps} steps")
}
pde pulse on line {
  unknown u : scalar P2
  dt(u) == lap(u) + exp(-((t - 1)/0.05)^2)*(1 + cos(pi*x))
  on all: dot(grad(u), n) == 0
  initially: u == 0
}
slow = solve(pulse, m, time: 0..2, step: auto, tol: 1e-4)
s = solve(pulse, m, time: 0..2, step: auto, tol: 1e-4, floor: 1e-4)
e = abs(integral(s.u) - 0.05*sqrt(pi))
assert e < 1e-4 and s.steps < 0.8*slow.steps, f"floor: error {e:.1e}, {s.steps} steps, {slow.steps} without"
print(f"ok floor: what grows out of 1e-170 takes {s.steps} steps, {slow.steps} without")
