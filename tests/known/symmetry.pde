# Known answers: symmetries of space, periodicity, reciprocity. Models that answer with the sign turned, or not at all turned, so that a violation is 2 or 1 for every probe.

geometry square = rectangle(x: 0..1, y: 0..1)
nodes = mesh(square, cells: [8, 8])
field bubble = x*(1 - x)*y*(1 - y)

pde held(f = 0.0, g = 0.0) on square {
  unknown u : vector P1
  div(2*eps(u)) + (f, g) == 0
  on all: u == 0
}
map pushed {
  input f in -1..1, g in -1..1
  output u from solve(held(f, g), nodes)
}
model isotropic(f, g) for pushed { u = (f*bubble, g*bubble) }
model spiral(f, g) for pushed { u = ((f - g)*bubble, (f + g)*bubble) }
model flipped(f, g) for pushed { u = (f*bubble, -g*bubble) }
model unsigned(f, g) for pushed { u = (abs(f)*bubble, 0*g) }
model collapsed(f, g) for pushed { u = (0*f, 0*g) }
model faint(f, g) for pushed { u = (1e-9*f*bubble, -1e-9*g*bubble) }

test "EQ-ROT" {
  accept rotation(isotropic, loads: [f, g], about: (0.5, 0.5))
  accept rotation(spiral, loads: [f, g], about: (0.5, 0.5))
  # the second component with the wrong sign: turned back, both have it
  reject rotation(flipped, loads: [f, g], about: (0.5, 0.5)) v 2
  accept rotation(flipped, loads: [f, g], angle: pi, about: (0.5, 0.5))
  accept rotation(collapsed, loads: [f, g], about: (0.5, 0.5)) v 0
  accept rotation(faint, loads: [f, g], about: (0.5, 0.5))
}
test "EQ-REF" {
  accept mirror(isotropic, loads: [f, g], normal: (1, 0), through: (0.5, 0.5))
  accept mirror(flipped, loads: [f, g], normal: (0, 1), through: (0.5, 0.5))
  # in the diagonal components change places: so do the signs
  reject mirror(flipped, loads: [f, g], normal: (1, 1), through: (0.5, 0.5)) v 2
  reject mirror(unsigned, loads: [f, g], normal: (1, 0), through: (0.5, 0.5)) v 2
  accept mirror(collapsed, loads: [f, g], normal: (1, 0), through: (0.5, 0.5)) v 0
  accept mirror(faint, loads: [f, g], normal: (1, 1), through: (0.5, 0.5))
}

pde warmed(a = 0.5, b = 0.5) on square {
  unknown T : scalar P1
  -lap(T) == exp(-20*((x - a)^2 + (y - b)^2))
  on all: T == 0
}
map heated {
  input a in 0..1, b in 0..1
  output T from solve(warmed(a, b), nodes)
}
model travels(a, b) for heated { T = cos(2*pi*(x - a)) }
model stays(a, b) for heated { T = cos(2*pi*x) + 0*a*b }
model ramp(a, b) for heated { T = x + 0*a*b }
model even(a, b) for heated { T = x*(1 - x) + 0*a*b }
model cold(a, b) for heated { T = 0*a*b }
model one_sided(a, b) for heated { T = if a < 0.5 then 0 else bubble }
model favours(a, b) for heated { T = (if a < 0.5 then 1 else 1.1)*bubble }

test "EQ-TRN" {
  accept translation(travels, position: a, change: 0.5, offset: (0.5, 0))
  # half a wave on, the sign is the other
  reject translation(stays, position: a, change: 0.5, offset: (0.5, 0)) v 2
  accept translation(cold, position: a, change: 0.5, offset: (0.5, 0)) v 0
}
test "SYM-FLD" {
  accept symmetric_field(even, normal: (1, 0), through: (0.5, 0.5))
  # 1 - 2 x of x
  reject symmetric_field(ramp, normal: (1, 0), through: (0.5, 0.5)) v 1
  accept symmetric_field(cold, normal: (1, 0), through: (0.5, 0.5)) v 0
}
test "BC-PER" {
  accept periodicity(travels, part: left, offset: (1, 0))
  reject periodicity(ramp, part: left, offset: (1, 0)) v 1/scale(heated)
  accept periodicity(cold, part: left, offset: (1, 0)) v 0
  accept periodic_flux(ramp, flux: grad(T), part: left, opposite: right)
  # -1 and 1 outward, 2 of 2; 1 and 2 outward, less
  reject periodic_flux(ramp, flux: (2*x - 1, 0), part: left, opposite: right) v 1
  reject periodic_flux(ramp, flux: (1 + x, 0), part: left, opposite: right) v 1/3
  reject periodic_flux(ramp, flux: (1 + x, 0), part: left, opposite: right, weight: y) v 1/3
  accept periodic_flux(cold, flux: grad(T), part: left, opposite: right) v 0
}
test "RECIP-S" {
  accept scalar_reciprocity(heated, T, source: exp(-20*((x - a)^2 + (y - b)^2)), place: [a, b])
  # heard one way only; 1.1 of what the other hears
  reject scalar_reciprocity(one_sided, T, source: 1 + a, place: [a, b]) v 1
  reject scalar_reciprocity(favours, T, source: 1 + 0*a, place: [a, b]) v 0.1/2.1
  accept scalar_reciprocity(cold, T, source: 1 + a, place: [a, b]) v 0
}

pde drift(U = 0.0) on square {
  unknown v : vector P1
  dt(v) == lap(v)
  on all: v == (U, 0)
  initially: v == (U, 0)
}
map flow {
  input U in 0..1, W in 0..1
  output v(t) from solve(drift(U + 0*W), nodes, time: 0..1, step: 0.25)
}
model carried(U, W) for flow { v = (U + sin(2*pi*(y - W*t)), W + sin(2*pi*(x - U*t))) }
model pinned(U, W) for flow { v = (U + sin(2*pi*y), W + sin(2*pi*x)) }
model dead(U, W) for flow { v = (0*U, 0*W) }

test "GAL" {
  accept galilean(carried, v, drift: [U, W], velocity: (1, 0))
  # sin(x + t) - sin(x) over a period, in the mean as large as both waves together
  reject galilean(pinned, v, drift: [U, W], velocity: (1, 0)) v 1
  # a model that does not answer to the drift is off by the velocity, over its floor
  reject galilean(dead, v, drift: [U, W], velocity: (1, 0)) v 100/scale(flow)
  skip galilean(travels, T, drift: [a, b], velocity: (1, 0))
}
