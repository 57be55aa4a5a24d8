## Contracts of models: symmetries of space, reciprocity of sources and receivers.
##
## Known without an import, as those in models.pde; probes, scale(m) and the floor are as there. A model's images (mirrored, rotated, translated, carried) are its own
## fields read at other points, with vectors and tensors turned along: exact where nodes fall on nodes, interpolated elsewhere, so on a mesh without
## the symmetry one order of the element's error adds to a violation. Tolerances: 5e-2, learned; 2e-2 for integrals.

## [EQ-ROT] Turned loads give the turned answer, u(R f)(R x) = R u(f)(x): ||R^-1 u(R f) - u(f)|| / ||u(f)||. Body, supports and material have the symmetry; `loads` are the two
## components of a vector (in 3D about the z axis). Angle in radians. Tolerance 5e-2: learned.
contract rotation(m: model, loads: inputs, angle = 1.5707963267948966, about) {
  probe z in domain(m)
  f = z[loads]
  turned = z with (loads: (cos(angle)*f.x - sin(angle)*f.y, sin(angle)*f.x + cos(angle)*f.y))
  image = rotated(m, angle: angle, about: about)
  violation = norm(image(turned) - m(z))/max(norm(m(z)), 1e-2*scale(m))
  tolerance = 0.05
}

## [EQ-REF] Mirrored loads give the mirrored answer: ||M u(M f) - u(f)|| / ||u(f)||, the plane by its normal and a point in it; `loads` are the components of a vector. Tolerance
## 5e-2: learned.
contract mirror(m: model, loads: inputs, normal, through) {
  probe z in domain(m)
  f = z[loads]
  flipped = z with (loads: f - (2*dot(f, normal)/dot(normal, normal))*normal)
  image = mirrored(m, normal: normal, through: through)
  violation = norm(image(flipped) - m(z))/max(norm(m(z)), 1e-2*scale(m))
  tolerance = 0.05
}

## [EQ-TRN] A source that is moved moves the answer, in a periodic cell: ||u(p + d)(x) - u(p)(x - offset)|| / ||u(p)||, `position` the input that says where it is, `change` how much it
## changes when the answer moves by `offset`. Tolerance 5e-2: learned.
contract translation(m: model, position: input, change: real, offset) {
  probe z in domain(m)
  moved = z with (position: z[position] + change)
  image = translated(m, by: offset)
  violation = norm(m(moved) - image(z))/max(norm(m(z)), 1e-2*scale(m))
  tolerance = 0.05
}

## [SYM-FLD] Symmetric data give a symmetric field: ||u - M u|| / ||u||, the plane by its normal and a point in it, for maps whose data are symmetric for all inputs. Steady, below a
## bifurcation. Tolerance 5e-2: learned.
contract symmetric_field(m: model, normal, through) {
  probe z in domain(m)
  image = mirrored(m, normal: normal, through: through)
  violation = norm(m(z) - image(z))/max(norm(m(z)), 1e-2*scale(m))
  tolerance = 0.05
}

## [GAL] Galilean invariance: with a uniform velocity U added at the start, the flow seen by who moves along is that without it, ||u(u0 + U)(x + U t) - U - u(u0)(x)|| / ||u(u0)||. In
## periodic cells; `drift` are the inputs that hold U. Tolerance 5e-2: learned.
contract galilean(m: model, u: output, drift: inputs, velocity) {
  needs duration(m) > 0 else "the model has no time"
  probe z in domain(m)
  along = carried(m, velocity: velocity)
  rest = z with (drift: 0*z[drift])
  moving = z with (drift: velocity)
  violation = norm(along(moving)[u] - velocity - m(rest)[u])/max(norm(m(rest)[u]), 1e-2*scale(m, of: u))
  tolerance = 0.05
}

## [RECIP-S] Scalar reciprocity: what a receiver at B hears of a source at A is what one at A hears of B: |<sA, uB> - <sB, uA>| / (|<sA, uB>| + |<sB, uA>|), sources as fields of
## the inputs that place them. Self-adjoint diffusion, Helmholtz without a conjugate. Tolerance 2e-2: integrals.
contract scalar_reciprocity(m: model, u: output, source: field, place: inputs) {
  probe z, w in domain(m)
  other = z with (place: w[place])
  ab = integral(evaluate(source, m(z))*m(other)[u])
  ba = integral(evaluate(source, m(other))*m(z)[u])
  violation = abs(ab - ba)/max(abs(ab) + abs(ba), 1e-4*scale(m, of: source)*scale(m, of: u))
  tolerance = 2e-2
}

## [BC-PER] What leaves one side comes in at the other: ||u(x) - u(x + offset)|| on `part` over the typical size of the field, `offset` the vector from that side to the one that
## it equals. Tolerance 1e-2; 1e-9 where features are periodic.
contract periodicity(m: model, part: boundary, offset) {
  probe z in domain(m)
  other = translated(m, by: -offset)
  violation = norm(m(z) - other(z), on: part)/(scale(m)*sqrt(measure(m, on: part)/measure(m)))
  tolerance = 1e-2
}

## [BC-PER] The flux that leaves one side comes in at the other: |integral(w flux n) over both sides together| / (integral(|w flux n|) of either, added), for a weight w that is
## the same on both, 1 or one of the coordinates along them. Tolerance 1e-1: one derivative.
contract periodic_flux(m: model, flux: field, part: boundary, opposite: boundary, weight: field = 1) {
  probe z in domain(m)
  f = m(z)
  q = evaluate(weight, f)*dot(evaluate(flux, f), n)
  floor = 1e-2*scale(m, of: flux)
  violation = abs(integral(q, on: part) + integral(q, on: opposite))/max(integral(abs(q), on: part) + integral(abs(q), on: opposite), floor)
  tolerance = 0.1
}

# --- witnesses ---

geometry _square = rectangle(x: 0..1, y: 0..1)
_m = mesh(_square, cells: [8, 8])
pde _held(f = 0.0, g = 0.0) on _square {
  unknown u : vector P1
  div(2*eps(u)) + (f, g) == 0
  on all: u == 0
}
map _pushed {
  input f in -1..1, g in -1..1
  output u from solve(_held(f, g), _m)
}
field _bubble = x*(1 - x)*y*(1 - y)
model _isotropic(f, g) for _pushed { u = (f*_bubble, g*_bubble) }
model _orthotropic(f, g) for _pushed { u = (f*_bubble, 2*g*_bubble) }
model _lopsided(f, g) for _pushed { u = (f*_bubble*x, g*_bubble*x) }

pde _warmed(a = 0.5, b = 0.5) on _square {
  unknown T : scalar P1
  -lap(T) == exp(-20*((x - a)^2 + (y - b)^2))
  on all: T == 0
}
map _heated {
  input a in 0..1, b in 0..1
  output T from solve(_warmed(a, b), _m)
}
model _travels(a, b) for _heated { T = cos(2*pi*(x - a)) }
model _stays(a, b) for _heated { T = cos(2*pi*x)*(1 + a) }
model _ramp(a, b) for _heated { T = x }
model _favours(a, b) for _heated { T = (1 + a)*_bubble }
pde _drift(U = 0.0) on _square {
  unknown v : vector P1
  dt(v) == lap(v)
  on all: v == (U, 0)
  initially: v == (U, 0)
}
map _flow {
  input U in 0..1, W in 0..1
  output v(t) from solve(_drift(U + 0*W), _m, time: 0..1, step: 0.25)
}
model _carried(U, W) for _flow { v = (U + sin(2*pi*(y - W*t)), W + sin(2*pi*(x - U*t))) }
model _pinned(U, W) for _flow { v = (U + sin(2*pi*y), W + sin(2*pi*x)) }

test "symmetries" {
  accept rotation(_isotropic, loads: [f, g], about: (0.5, 0.5))
  reject rotation(_orthotropic, loads: [f, g], about: (0.5, 0.5)) v 1 within 0.1
  accept mirror(_isotropic, loads: [f, g], normal: (1, 0), through: (0.5, 0.5))
  accept mirror(_orthotropic, loads: [f, g], normal: (0, 1), through: (0.5, 0.5))
  reject mirror(_orthotropic, loads: [f, g], normal: (1, 1), through: (0.5, 0.5)) v 1 within 0.1
  accept symmetric_field(_ramp, normal: (0, 1), through: (0.5, 0.5))
  # 1 - 2 x of x
  reject symmetric_field(_ramp, normal: (1, 0), through: (0.5, 0.5)) v 1
  accept symmetric_field(_stays, normal: (1, 0), through: (0.5, 0.5))
  reject mirror(_lopsided, loads: [f, g], normal: (1, 0), through: (0.5, 0.5))
}
test "translations" {
  accept translation(_travels, position: a, change: 0.5, offset: (0.5, 0))
  reject translation(_stays, position: a, change: 0.5, offset: (0.5, 0)) v 2.5 within 0.3
  accept periodicity(_travels, part: left, offset: (1, 0))
  reject periodicity(_ramp, part: left, offset: (1, 0)) v 160 within 0.3
  accept periodic_flux(_ramp, flux: grad(T), part: left, opposite: right)
  # what comes in, all of it twice over, stays: 2 of 2; a third of it: (1 - 1/2) of 3/2
  reject periodic_flux(_ramp, flux: (2*x - 1, 0), part: left, opposite: right) v 1
  reject periodic_flux(_ramp, flux: (1 + x, 0), part: left, opposite: right, weight: y) v 1/3
  accept galilean(_carried, v, drift: [U, W], velocity: (1, 0))
  reject galilean(_pinned, v, drift: [U, W], velocity: (1, 0)) v 1 within 0.3
}
test "reciprocity" {
  accept scalar_reciprocity(_heated, T, source: exp(-20*((x - a)^2 + (y - b)^2)), place: [a, b])
  reject scalar_reciprocity(_favours, T, source: exp(-20*((x - a)^2 + (y - b)^2)), place: [a, b]) v 0.82 within 0.3
}
