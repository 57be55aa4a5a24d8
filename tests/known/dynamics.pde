# Known answers: contracts over time. Histories are powers of time, for which differences in time are exact and sums over times can be written down (mixture: none, as they stand in
# the bank). A strip of height 1 that is pulled at its right end; waves have speed 1.

geometry strip = rectangle(x: 0..1, y: 0..1)
nodes = mesh(strip, cells: [12, 1])
pde wave(g = 0.0) on strip {
  unknown u : vector P1
  dtt(u) == div(eps(u))
  on left: u == 0
  on right: u == (g, 0)
  on top, bottom: dot(eps(u), n) == 0
  initially: u == 0
  initially: dt(u) == 0
}
fn square_sum(f, a, b, n) {
  sum = 0.0
  for i in 0..n { sum = sum + (if i == 0 or i == n then 0.5 else 1)*f(a + (b - a)*i/n)^2*(b - a)/n }
  return sum
}

# Steady, for what needs a time.
pde stretched(g = 1.0) on strip {
  unknown u : vector P1
  div(eps(u)) == 0
  on left: u == 0
  on right: u == (g, 0)
  on top, bottom: dot(eps(u), n) == 0
}
map steady {
  input g in 1..2
  output u from solve(stretched(g), nodes)
}
model plain(g) for steady { u = (g*x, 0) }

# --- histories ---

map waved {
  input g(t) from bank [sin(4*pi*t), 2*sin(4*pi*t)]
  mixture: none
  output u(t) from solve(wave(g), nodes, time: 0..1, step: 0.05)
}
model follows(g) for waved { u = (g*x + 0.5*(g at (t - 0.3))*x^2, 0) }
model smoothed(g) for waved { u = (((g at (t - 0.05)) + (g at (t + 0.05)))/2*x, 0) }
model collapsed(g) for waved { u = (0*g, 0) }
fn wave_smoothed(t) = (sin(4*pi*max(0, t - 0.05)) + sin(4*pi*(t + 0.05)))/2

test "ED-CAUS" {
  accept strict_causality(follows) v 0
  accept strict_causality(waved)
  accept strict_causality(collapsed) v 0
  # reaches one step ahead; largest relative to the short beginning
  reject strict_causality(smoothed) v sqrt((sin(0.2*pi)/2)^2*0.025/square_sum(wave_smoothed, 0, 0.25, 5))
  skip strict_causality(plain)
}

map driven {
  input g(t) from bank [t^2]
  output u(t) from solve(wave(g), nodes, time: 0..1.5, step: 0.025)
  mixture: none
}
model linear(g) for driven { u = (g*x, 0) }
model squared(g) for driven { u = (g^2*x, 0) }
model nothing(g) for driven { u = (0*g, 0) }
fn excess(t) = t^4 - 2.25*t^2
fn fourth(t) = t^4

test "ED-CONV" {
  accept impulse_response(linear)
  accept impulse_response(driven)
  # steps are as high as the largest history, 2.25: its square for each of them adds up to 2.25 a, where a^2 is the answer
  reject impulse_response(squared) v sqrt(square_sum(excess, 0, 1.5, 60)/square_sum(fourth, 0, 1.5, 60))
  accept impulse_response(nothing) v 0
  skip impulse_response(plain)
}

pde tugged(h = 0.0) on strip {
  unknown u : vector P1
  dtt(u) == div(eps(u))
  on left: u == 0
  on right: dot(eps(u), n) == (h, 0)
  on top, bottom: dot(eps(u), n) == 0
  initially: u == 0
  initially: dt(u) == 0
}
map tug {
  input h(t) from bank [t^2, t^3]
  mixture: none
  output u(t) from solve(tugged(h), nodes, time: 0..1, step: 0.05)
}
model springs(h) for tug { u = (h*x, 0) }
model grows(h) for tug { u = (h*x*t, 0) }
model lies(h) for tug { u = (0*h, 0) }

test "RECIP-D" {
  accept dynamic_reciprocity(tug, u, traction: (h, 0), part: right)
  accept dynamic_reciprocity(springs, u, traction: (h, 0), part: right)
  # integrals of t^2 (1 - t)^4 and t^3 (1 - t)^3: 2! 4! and 3! 3! of 7!
  reject dynamic_reciprocity(grows, u, traction: (h, 0), part: right) v 1/7
  accept dynamic_reciprocity(lies, u, traction: (h, 0), part: right) v 0
  skip dynamic_reciprocity(plain, u, traction: (1, 0), part: right)
}

# --- waves ---

test "ED-CONE" {
  accept finite_speed(driven, u, distance: 1 - x, speed: 1, margin: 0.25)
  # the last place and time that a wave has not reached: the largest of t^2 (1 - t - 1/4), where t is 1/2
  reject finite_speed(linear, u, distance: 1 - x, speed: 1, margin: 0.25) v 0.0625/largest(driven) within 0.1
  accept finite_speed(nothing, u, distance: 1 - x, speed: 1, margin: 0.25) v 0
  skip finite_speed(plain, u, distance: 1 - x, speed: 1, margin: 0.25)
}
test "ED-EN" {
  accept energy_balance(driven, u, stress: eps(u), density: 1, lift: x)
  # t^2 x: K + U - W = 2/3 t^2 + t^4/2 - (t^2/2 + t^4/2) = t^2/6, of W + U = t^2/2 + t^4, at 3/2
  accept energy_balance(linear, u, stress: eps(u), density: 1, lift: x) v 0.375/(1.125 + 5.0625) within 0.02
  # four times as heavy: K + U - W = 8/3 t^2 - 4/2 t^2 of 4/2 t^2 + t^4
  reject energy_balance(linear, u, stress: eps(u), density: 4, lift: x) v 1.5/(4.5 + 5.0625) within 0.02
  accept energy_balance(nothing, u, stress: eps(u), density: 1, lift: x) v 0
  skip energy_balance(plain, u, stress: eps(u), density: 1, lift: x)
}
test "ED-MOM" {
  accept momentum_balance(driven, u, stress: eps(u), density: 1, direction: (1, 0))
  # uniform stress pulls both ends alike, and the body is accelerated: all is against
  reject momentum_balance(linear, u, stress: eps(u), density: 1, direction: (1, 0)) v 1
  accept momentum_balance(nothing, u, stress: eps(u), density: 1, direction: (1, 0)) v 0
  skip momentum_balance(plain, u, stress: eps(u), density: 1, direction: (1, 0))
}

# --- rest ---

map plucked {
  input g(t) from bank [if t < 0.5 then t^3*(0.5 - t)^3*100 else 0*t]
  mixture: none
  output u(t) from solve(wave(g), nodes, time: 0..1.5, step: 0.075)
}
model fades(g) for plucked { u = (x*(1 - x)*(2 - t) + 0*g, 0) }
model swells(g) for plucked { u = (x*(1 - x)*(1 + t) + 0*g, 0) }
model silent(g) for plucked { u = (0*g, 0) }

test "ED-DEC" {
  accept no_growth(fades, u, stress: eps(u), density: 1, after: 0.525) v 0
  # kinetic energy 1/60 stays, strain energy (1 + t)^2/6 grows from 0.675 to 1.5; both of interpolated parabolas, 1/30 and 1/3 but for 1/144
  grown = (1/60 + 2.5^2/6)/(1/60 + 1.675^2/6)
  reject no_growth(swells, u, stress: eps(u), density: 1, after: 0.525) v grown - 1 within 0.02
  skip no_growth(plain, u, stress: eps(u), density: 1, after: 0)
}

map slow {
  input g(t) from bank [t, t^2/10]
  mixture: none
  output u(t) from solve(wave(g), mesh(strip, cells: [4, 1]), time: 0..30, step: 0.5)
}
model static(g) for slow { u = (g*x, 0) }
model loose(g) for slow { u = (1.1*g*x, 0) }
model unmoved(g) for slow { u = (0*g, 0) }

test "ED-QS" {
  accept quasi_static(static, g, static: (g*x, 0), traversal: 1)
  accept quasi_static(slow, g, static: (g*x, 0), traversal: 1)
  reject quasi_static(loose, g, static: (g*x, 0), traversal: 1) v 0.1
  reject quasi_static(unmoved, g, static: (g*x, 0), traversal: 1) v 1
  skip quasi_static(linear, g, static: (g*x, 0), traversal: 1)
}

# --- the solver, run backwards ---

geometry cord = interval(0, 1)
pde swing(a = 1.0, v = 0.0, drag = 0.0) on cord {
  unknown w : scalar P2
  dtt(w) + drag*dt(w) == lap(w)
  on left, right: w == 0
  initially: w == a*sin(pi*x)
  initially: dt(w) == v*sin(pi*x)
}
test "ED-REV" {
  m = mesh(cord, cells: [8])
  forth = solve(swing, m, time: 0..0.75, step: 0.025, scheme: generalized_alpha)
  c = cos(0.75*pi)
  s = pi*sin(0.75*pi)
  accept time_reversal(forth, back: solve(swing, m, time: 0..0.75, step: 0.025, scheme: generalized_alpha, a: c, v: s), u: w)
  # begun again where it had begun, it ends where it has been: 1 - cos at both ends
  reject time_reversal(forth, back: forth, u: w) v 1 - c
  # at rest instead: all is missing
  reject time_reversal(forth, back: solve(swing, m, time: 0..0.75, step: 0.025, scheme: generalized_alpha, a: 0), u: w) v 1
  # with drag it does not come back as it went
  damped = solve(swing, m, time: 0..0.75, step: 0.025, scheme: generalized_alpha, drag: 1)
  reject time_reversal(damped, back: solve(swing, m, time: 0..0.75, step: 0.025, scheme: generalized_alpha, drag: 1, a: c, v: s), u: w)
  skip time_reversal(forth, back: solve(swing, m, time: 0..0.5, step: 0.025, scheme: generalized_alpha), u: w)
}
