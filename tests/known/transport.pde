# Known answers: advection and reaction.

geometry strip = rectangle(x: 0..1, y: 0..0.25)
pde carry(v = 1.0, a = 1.0, b = 0.0) on strip {
  unknown c : scalar P2
  dt(c) + v*dx(c) == 0.5*lap(c)
  on left: c == a
  on right: c == a + b
  on top, bottom: dot(grad(c), n) == 0
  initially: c == a
}
map stream {
  input v in 0.5..1, a in 1..1.0001, b in 0..1
  output c(t) from solve(carry(v, a, b), mesh(strip, cells: [8, 2]), time: 0..0.5, step: 0.02)
}
model carried(v, a, b) for stream { c = a*(1 + 0.5*sin(pi*(x - v*t))) }
model still(v, a, b) for stream { c = a*(1 + 0*t) }
model over(v, a, b) for stream { c = a*(1 + 0.52*sin(2*pi*x)) + 0*t }
model under(v, a, b) for stream { c = a*(0.98 + 0.5*sin(2*pi*x)) + 0*t }
model felt(v, a, b) for stream { c = a*(if b < 0.5 then 1 else 1.1) + 0*t }
model felt_faintly(v, a, b) for stream { c = 1e-6*(if b < 0.5 then 1 else 1.1) + 0*t }
model collapsed(v, a, b) for stream { c = 0*a*t }

# Steady, for what needs a time.
geometry line = interval(0, 1)
nodes = mesh(line, cells: [8])
pde balanced(s = 1.0) on line {
  unknown u : scalar P1
  -lap(u) + u == s
  on left, right: dot(grad(u), n) == 0
}
map steady {
  input s in 1..2
  output u from solve(balanced(s), nodes)
}
model alone(s) for steady { u = s + 0*x }

test "AD-MASS" {
  accept mass_balance(carried, gain: dt(c), flux: (-v*c, 0))
  accept mass_balance(still, gain: dt(c), flux: (-v*c, 0))
  # a source of v a, where as much flows in and as much out: 1 of 3
  reject mass_balance(still, gain: dt(c) - v*c, flux: (-v*c, 0)) v 1/3
  reject mass_balance(still, gain: dt(c), flux: (-c*x, 0)) v 1
  # a source, and nothing flows
  reject mass_balance(collapsed, gain: dt(c) - a, flux: (-v*c, 0)) v 1
}
test "AD-MAX" {
  accept no_new_extrema(carried, c, low: 0.5*a, high: 1.5*a)
  reject no_new_extrema(over, c, low: 0.5*a, high: 1.5*a) v 0.02
  reject no_new_extrema(under, c, low: 0.5*a, high: 1.5*a) v 0.02
  reject no_new_extrema(collapsed, c, low: 0.5*a, high: 1.5*a) v 0.5
}
test "AD-UP" {
  accept no_upstream_influence(carried, c, downstream: [b], upstream: x <= 0.5) v 0
  # 1.1 where the other is 1
  reject no_upstream_influence(felt, c, downstream: [b], upstream: x <= 0.5) v 0.1
  accept no_upstream_influence(collapsed, c, downstream: [b], upstream: x <= 0.5) v 0
  # on half of the body, over a hundredth of the typical size on all of it
  accept no_upstream_influence(felt_faintly, c, downstream: [b], upstream: x <= 0.5) v 1e-5*sqrt(0.5*0.25*0.5)/scale(stream) within 0.1
}
test "AD-TRN" {
  accept advected_shift(carried, c, c == a*(1 + 0.5*sin(pi*(x - v*t))))
  accept advected_shift(still, c, c == 0.97*a) v 0.03
  reject advected_shift(still, c, c == 0.94*a) v 0.06
  reject advected_shift(collapsed, c, c == a) v 100*sqrt(0.25*0.5)/scale(stream)
  skip advected_shift(alone, u, u == 1)
}

pde grow(s = 0.5, b = 0.0) on line {
  unknown u : scalar P1
  dt(u) == lap(u) + u*(1 - u)
  on left, right: dot(grad(u), n) == 0
  initially: u == s + b*cos(pi*x)
}
map logistic {
  input s in 0.2..1, b in 0..0.1
  output u(t) from solve(grow(s, b), nodes, time: 0..1, step: 0.1)
}
model exact(s, b) for logistic { u = s*exp(t)/(1 - s + s*exp(t)) + b*cos(pi*x)*exp(-10*t) }
model leaves(s, b) for logistic { u = 1 - (1 - s)*exp(-t) - 0.01*s*t }
model twofold(s, b) for logistic { u = 1.02*s*exp(t)/(1 - s + s*exp(t)) }
model linear(s, b) for logistic { u = 1 + t + 0*s }
model negative(s, b) for logistic { u = -0.01 + 0*t*s }
model dead(s, b) for logistic { u = 0*t*s }

test "RD-EQ" {
  accept equilibrium_kept(exact, u, start: [s, b], setting: (1, 0), value: 1)
  accept equilibrium_kept(logistic, u, start: [s, b], setting: (1, 0), value: 1)
  # 0.01 t, by the trapezoidal rule of ten steps, over 1 and the typical size
  reject equilibrium_kept(leaves, u, start: [s, b], setting: (1, 0), value: 1) v 0.01*sqrt(1/3 + 1/600)/(1 + scale(logistic))
  reject equilibrium_kept(dead, u, start: [s, b], setting: (1, 0), value: 1) v 1/(1 + scale(logistic))
  skip equilibrium_kept(alone, u, start: [s], setting: (1), value: 1)
}
test "RD-INV" {
  accept invariant_region(linear, u, low: 1, high: 2) v 0
  reject invariant_region(linear, u, low: 0, high: 1.6) v 0.25
  reject invariant_region(linear, u, low: 1.5, high: 2) v 1
  reject invariant_region(negative, u, low: 0, high: 1) v 0.01
  accept invariant_region(dead, u, low: 0, high: 1) v 0
  skip invariant_region(linear, u, low: 1, high: 1)
}
test "RD-ODE" {
  accept uniform_limit(exact, u, shape: b, state: u == s*exp(t)/(1 - s + s*exp(t)))
  reject uniform_limit(twofold, u, shape: b, state: u == s*exp(t)/(1 - s + s*exp(t))) v 0.02/1.02
  # nothing grows: 1, over a hundredth of the typical size
  reject uniform_limit(dead, u, shape: b, state: u == 1) v 100/scale(logistic)
  skip uniform_limit(alone, u, shape: s, state: u == 1)
}
test "RD-LYA" {
  accept free_energy_decay(logistic, energy: dot(grad(u), grad(u))/2 - u^2/2 + u^3/3)
  # (1 + t)^2 rises most in the last of ten steps
  reject free_energy_decay(linear, energy: u^2) v 2^2 - 1.9^2
  accept free_energy_decay(dead, energy: u^2) v 0
  skip free_energy_decay(alone, energy: u^2)
}

pde decay(s = 1.0) on line {
  unknown A : scalar P1
  unknown B : scalar P1
  equation A: dt(A) == lap(A) - A
  equation B: dt(B) == lap(B) + A
  on left, right: dot(grad(A), n) == 0
  on left, right: dot(grad(B), n) == 0
  initially: A == s
  initially: B == 0
}
map pair {
  input s in 1..2
  output A(t), B(t) from solve(decay(s), mesh(line, cells: [4]), time: 0..1, step: 0.1)
}
model turns(s) for pair { A = s*exp(-t); B = s*(1 - exp(-t)) }
model gains(s) for pair { A = s*(1 - t); B = 1.1*s*t }
model gone(s) for pair { A = 0*s*t; B = 0*s*t }

test "RD-SUM" {
  accept species_conserved(turns, total: A + B)
  accept species_conserved(pair, total: A + B)
  reject species_conserved(gains, total: A + B) v 0.1
  accept species_conserved(gone, total: A + B) v 0
  skip species_conserved(alone, total: u)
}
