# Second order in time: orders, energy, numerical damping, forces with inertia in them, and generalized-alpha of first order in time.
geometry square = rectangle(x: 0..1, y: 0..1)
geometry line = interval(0, 1)
field w = (1 + x^2 + 0.5*x*y)*cos(3*t) + y*exp(-t)
field v = (1 + x^2)*cos(3*t)

pde wave(c = 0.7) on square {
  unknown u : scalar P2
  dtt(u) + 0.3*dt(u) == c^2*lap(u) + dtt(w) + 0.3*dt(w) - c^2*lap(w)
  on left, top: u == w
  on others: dot(c^2*grad(u), n) == dot(c^2*grad(w), n)
  initially: u == w
  initially: dt(u) == dt(w)
}
pde heat(k = 0.2) on square {
  unknown u : scalar P2
  dt(u) == k*lap(u) + dt(w) - k*lap(w)
  on left, top: u == w
  on others: dot(k*grad(u), n) == dot(k*grad(w), n)
  initially: u == w
}
pde nonlinear on line {
  unknown u : scalar P2
  dtt(u) - lap(u) + u^3 == dtt(v) - lap(v) + v^3
  on all: u == v
  initially: u == v
  initially: dt(u) == dt(v)
}
m = mesh(square, cells: [3, 3])
l = mesh(line, cells: [5])
fn error(p, mesh, exact, n, scheme, rho) {
  s = solve(p, mesh, time: 0..1, step: 1/n, scheme: scheme, rho_inf: rho, keep: last)
  return norm(s.u - exact)
}
for rho in [0, 0.5, 0.8, 1] {
  a = log(error(heat, m, w, 40, generalized_alpha, rho)/error(heat, m, w, 80, generalized_alpha, rho))/log(2)
  b = log(error(wave, m, w, 80, generalized_alpha, rho)/error(wave, m, w, 160, generalized_alpha, rho))/log(2)
  c = log(error(nonlinear, l, v, 80, generalized_alpha, rho)/error(nonlinear, l, v, 160, generalized_alpha, rho))/log(2)
  assert abs(a - 2) < 0.1 and abs(b - 2) < 0.1 and abs(c - 2) < 0.1, f"generalized_alpha, rho_inf {rho}: orders {a:.3f} {b:.3f} {c:.3f}"
  print(f"ok generalized_alpha, rho_inf {rho}: orders {a:.2f} in heat, {b:.2f} and {c:.2f} in waves")
}
r = refine(wave, exact: (u: w), mesh: m, time: 0..1, steps: [0.04, 0.02, 0.01], scheme: crank_nicolson)
assert abs(observed_order(r, L2) - 2) < 0.1, f"Newmark: order {observed_order(r, L2):.3f}"
print(f"ok Newmark: order {observed_order(r, L2):.2f}")

# Steps whose lengths jump about, given as output times: order 2 stays.
times = [0.03, 0.09, 0.11, 0.16, 0.27, 0.3, 0.34, 0.45, 0.5, 0.53, 0.62, 0.7, 0.73, 0.84, 0.88, 0.97, 1]
fn uneven(p, scheme, n) {
  list = []
  before = 0
  for t in times {
    for k in 1..n { list = list ++ [before + (t - before)*k/n] }
    before = t
  }
  s = solve(p, m, time: 0..1, step: 0.2, scheme: scheme, outputs: list, keep: last)
  return norm(s.u - w)
}
for scheme in ["bdf2", "crank_nicolson", "generalized_alpha"] {
  order = log(uneven(heat, scheme, 4)/uneven(heat, scheme, 8))/log(2)
  assert abs(order - 2) < 0.15, f"{scheme}, uneven steps: order {order:.3f}"
  print(f"ok {scheme}, uneven steps: order {order:.2f}")
}

# Energy of a free elastic plate: Newmark's method keeps it, generalized-alpha loses little of the lowest modes.
fn stress(u) = 1.2*tr(eps(u))*I + 0.8*eps(u)
pde plate on square {
  unknown u : vector P2
  dtt(u) == div(stress(u))
  on left: u == 0
  on others: dot(stress(u), n) == 0
  initially: u == (0.02*x^2, -0.03*x^2*y)
  initially: dt(u) == (x*y, -0.4*x)
}
# the energy at a time, its rate from three states (of second order, as the schemes are)
fn energy(s, t, h) {
  now = s.u at t
  rate = ((s.u at (t + h)) - (s.u at (t - h)))/(2*h)
  return 0.5*integral(dot(rate, rate)) + 0.5*integral(inner(stress(now), eps(now)))
}
p = mesh(square, cells: [4, 4])
h = 0.0025
s = solve(plate, p, time: 0..1.5, step: h, scheme: crank_nicolson)
drift = abs(energy(s, 1.4, h)/energy(s, 0.1, h) - 1)
assert drift < 0.02, f"the energy drifts by {drift:.2e}"
print(f"ok Newmark keeps the energy of a plate: drift {drift:.1e}")

# Two modes of a string, one slow, one far too fast for the step: the first stays, of the second the share rho_inf^n is left after n steps.
pde two on line {
  unknown u : scalar P3
  dtt(u) == lap(u)
  on all: u == 0
  initially: u == sin(pi*x) + 0.5*sin(200*pi*x)
  initially: dt(u) == 0
}
fine = mesh(line, cells: [400])
fn amplitude(s, k) = 2*integral(s.u*sin(k*pi*x))
for rho in [0.5, 0.8, 0.9] {
  s = solve(two, fine, time: 0..2, step: 0.1, scheme: generalized_alpha, rho_inf: rho)
  slow = amplitude(s, 1)
  rest = max(abs(history(amplitude(s, 200)).values[-1]), abs(history(amplitude(s, 200)).values[-2]))
  # 20 steps: the two roots coincide at infinite frequency, which makes it n rho^n
  assert rest < 0.5*30*rho^19, f"rho_inf {rho}: {rest:.2e} of the fast mode is left"
  assert abs(slow - 1) < 0.1, f"rho_inf {rho}: the slow mode is {slow:.4f}"
  print(f"ok rho_inf {rho}: of the slow mode {slow:.3f}, of the fast one {rest/0.5:.1e} is left after 20 steps")
}
s = solve(two, fine, time: 0..2, step: 0.1, scheme: crank_nicolson)
rest = history(amplitude(s, 200)).values[-1]
expected = 0.5*cos(20*2*atan(200*pi*0.1/2))          # turned by 2 atan(omega step/2) a step, not damped
assert abs(rest - expected) < 0.01, f"Newmark's method leaves {rest:.3f} of the fast mode, not {expected:.3f}"
print(f"ok Newmark's method turns the fast mode and keeps it: {rest:.3f}, exactly {expected:.3f}")

# Balance of forces: what holds the body is its weight and its mass times acceleration. In one dimension with u == t^2 at the left, free at the
# right, dtt(u) == c^2 lap(u) + g: flux left + flux right + integral(g) == integral(dtt(u)), to rounding, for the mean scheme in the mean of both times.
pde pushed on line {
  unknown u : scalar P2
  dtt(u) == div(4*grad(u)) + 3
  on left: u == t^2
  on right: dot(4*grad(u), n) == 0
  initially: u == 0
  initially: dt(u) == 0
}
for scheme in ["backward_euler", "bdf2", "crank_nicolson", "generalized_alpha"] {
  s = solve(pushed, l, time: 0..0.5, step: 0.01, scheme: scheme)
  # backward Euler's acceleration is the second difference of the states: an independent value of the inertia
  if scheme == "backward_euler" {
    inertia = (integral(s.u at 0.4) - 2*integral(s.u at 0.39) + integral(s.u at 0.38))/0.01^2
    gap = abs(flux(s.u at 0.4, left) + 3 - inertia)
    assert gap < 1e-7*abs(inertia), f"forces do not balance: {gap:.2e} of {inertia:.3f}"
    print(f"ok backward_euler: forces balance, {gap:.1e} of {inertia:.3f}")
  } else {
    fine_ = solve(pushed, l, time: 0..0.5, step: 0.0005, scheme: scheme)
    coarse = flux(s.u at 0.41, left)
    near = (if scheme == "bdf2" then flux(fine_.u at 0.41, left) else if scheme == "crank_nicolson" then flux(fine_.u at 0.405, left) else flux(fine_.u at (0.4 + 0.01/1.8), left))
    assert abs(coarse - near) < 0.1*abs(near), f"{scheme}: the force is {coarse:.4f}, with small steps {near:.4f}"
    print(f"ok {scheme}: the force at the driven end {coarse:.3f}, with small steps {near:.3f}")
  }
}
