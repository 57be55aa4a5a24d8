# Known answers: diffusion and heat. Fields that are products of a function of place and one of time, so that a violation is a number; the bar's data are all but fixed.

geometry line = interval(0, 1)
nodes = mesh(line, cells: [8])
pde cool(k = 1.0, a = 1.0) on line {
  unknown T : scalar P2
  dt(T) == k*lap(T)
  on left, right: T == 0
  initially: T == a*sin(pi*x)
}
map bar {
  input k in 0.25..1, a in 1..2
  output T(t) from solve(cool(k, a), nodes, time: 0..0.2, step: 0.02)
}
model exact(k, a) for bar { T = a*exp(-k*pi^2*t)*sin(pi*x) }
model hotter(k, a) for bar { T = 1.01*a*exp(-k*pi^2*t)*sin(pi*x) }
model lower(k, a) for bar { T = a*(exp(-k*pi^2*t)*sin(pi*x) - 0.01) }
model rising(k, a) for bar { T = a*(1 + t)*sin(pi*x) }
model lifted(k, a) for bar { T = a*(1 + (1 + t)*sin(pi*x)) }
model drifting(k, a) for bar { T = a*(1 + t) }
model gathers(k, a) for bar { T = a*(1 + 2*t*(x - 0.5)) }
model frozen(k, a) for bar { T = 0.8*a*(x^2 + 1) }
model steep(k, a) for bar { T = 0.5*a*x*(1 - x)*(1 + t) }
model collapsed(k, a) for bar { T = 0*k*a*t*x }

# All but fixed, and steady: for what needs a time, and for the order of data.
pde conduct(q = 1.0) on line {
  unknown T : scalar P2
  -lap(T) == q
  on left, right: T == 0
}
map pinned {
  input q in 1..1.0001
  output T from solve(conduct(q), nodes)
}
model plain(q) for pinned { T = q*x*(1 - x)/2 }
model opposed(q) for pinned { T = -q*x*(1 - x)/2 }
model nothing(q) for pinned { T = 0*q*x }
model falls(q) for pinned { T = (if q < 1.00005 then 1 else 0.9)*x*(1 - x)/2 }

test "HT-MAX" {
  accept maximum_principle(exact, T, low: 0, high: a)
  accept maximum_principle(bar, T, low: 0, high: a)
  # 1.01 of -1..1, -0.01 of 0..1
  reject maximum_principle(hotter, T, low: -a, high: a) v 0.005
  reject maximum_principle(lower, T, low: 0, high: a) v 0.01
  accept maximum_principle(collapsed, T, low: 0, high: a) v 0
  reject maximum_principle(collapsed, T, low: 0.5*a, high: a) v 1
  # bounds that are one: the distance is a hundredth of the largest field
  reject maximum_principle(nothing, T, low: 0.001, high: 0.001) v 0.001/0.00125
}
test "HT-CMP" {
  accept comparison(plain, T, data: q) v 0
  # more data, a tenth less
  reject comparison(falls, T, data: q) v 0.1
  accept comparison(nothing, T, data: q) v 0
}
test "HT-POS" {
  accept heat_positivity(exact, T) v 0
  reject heat_positivity(opposed, T) v 1
  accept heat_positivity(nothing, T) v 0
}
test "HT-L1" {
  accept contraction(exact, T, start: [a]) v 0
  reject contraction(drifting, T, start: [a]) v 0.2
  # the content of the difference stays, its largest value grows to 1.2
  reject contraction(gathers, T, start: [a]) v 0.2
  accept contraction(collapsed, T, start: [a]) v 0
  skip contraction(plain, T, start: [q])
}
test "HT-DEC" {
  accept energy_decay(exact, T)
  # (1 + t)^2 rises most in the last step
  reject energy_decay(rising, T) v 1.2^2 - 1.18^2
  accept energy_decay(collapsed, T) v 0
  skip energy_decay(plain, T)
}
test "HT-OSC" {
  accept oscillation_decay(exact, T)
  reject oscillation_decay(rising, T) v 0.02
  reject oscillation_decay(lifted, T) v 0.02
  accept oscillation_decay(drifting, T) v 0
  accept oscillation_decay(collapsed, T) v 0
  skip oscillation_decay(plain, T)
}
test "HT-CONS" {
  accept conservation(frozen, T)
  accept conservation(gathers, T)
  reject conservation(drifting, T) v 0.2
  accept conservation(collapsed, T) v 0
  skip conservation(plain, T)
}
test "HT-BAL" {
  accept balance(bar, gain: dt(T), flux: k*grad(T))
  accept balance(plain, gain: -q, flux: grad(T))
  # gains 1/12 while 1 + t flows out; twice the flux, of 1 + 2
  reject balance(steep, gain: dt(T), flux: grad(T)) v 1
  reject balance(plain, gain: -q, flux: 2*grad(T)) v 1/3
  # a source, and nothing that carries its heat away
  reject balance(nothing, gain: -q, flux: grad(T)) v 1
}
test "HT-SCAL" {
  accept parabolic_scaling(exact, T, diffusivity: k)
  # 1.1 at half the time, 1.2 at the end
  reject parabolic_scaling(rising, T, diffusivity: k) v 0.1/1.1
  accept parabolic_scaling(collapsed, T, diffusivity: k) v 0
  skip parabolic_scaling(plain, T, diffusivity: q)
}
test "HT-STDY" {
  accept steady_limit(frozen, T, T == 0.8*a*(x^2 + 1)) v 0
  reject steady_limit(frozen, T, T == 0.78*a*(x^2 + 1)) v 0.025
  accept steady_limit(frozen, T, T == 0.788*a*(x^2 + 1)) v 0.015
  skip steady_limit(plain, T, T == 0)
}
# a model that has not begun: relative to a hundredth of the map's own last state
test "HT-STDY, nothing there" { reject steady_limit(collapsed, T, T == scale(bar, of: T, at: 0.2)) v 100 }

geometry plate = rectangle(x: 0..1, y: 0..1)
pde sheet(a = 1.0) on plate {
  unknown T : scalar P2
  lap(T) == 0
  on left, right, top, bottom: T == a*x*y
}
map laplace {
  input a in 1..2
  output T from solve(sheet(a), mesh(plate, cells: [12, 12]))
}
model harmonic(a) for laplace { T = a*x*y }
model bowl(a) for laplace { T = a*(x^2 + y^2) }
model flat(a) for laplace { T = 0*a*x }

test "HT-MEAN" {
  accept mean_value(harmonic, T, a: 0.5, b: 0.5, r: 0.4)
  accept mean_value(laplace, T, a: 0.5, b: 0.5, r: 0.4)
  # the weighted mean of the squared distance is r^2/4: 0.04 less 0.01, of an oscillation of 2
  reject mean_value(bowl, T, a: 0.5, b: 0.5, r: 0.4) v 0.015
  accept mean_value(flat, T, a: 0.5, b: 0.5, r: 0.4) v 0
}
