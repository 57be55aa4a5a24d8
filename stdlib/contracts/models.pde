## Contracts of models: how predictions follow the inputs, whoever makes them.
##
## Every one is known without an import: `audit candidate against linear_elastic(...)`, `check candidate against causality(candidate)`. Probes are drawn
## from the inputs of the model's map; predictions are those of the model; scale(m) is the typical size of the map's own fields, so that a model that
## answers with nothing gains nothing, and a hundredth of it (eta) is the floor of every denominator, so that a probe with almost no answer is not
## blown up. A violation has no dimension. Where an argument names inputs (`loads: [fx, fy]`) or a field of outputs and inputs (`q: E*u.x`), it
## is read in the names of the map. Tolerances: 5e-2 for what a model has to learn, 10 to 20 times the error of an accurate field; 1e-3 for signs
## and orders, which only round-off excuses. A model that has a property by construction may be given 1e-9 (1e-4 in single precision): tol.
## The tag in brackets is the row of the catalogue. The tests at the end hold, for each contract, a witness that it accepts and one
## that it rejects, with violations that are known.

# --- loads: linear answers ---

## [LIN-SUP] Load superposition, u(a + b) = u(a) + u(b), other inputs equal: ||u(a + b) - u(a) - u(b)|| / ||u(a + b)||. Loads are halved, so that
## their sum stays admissible. For linear operators with homogeneous data. Where u(a) and u(b) may cancel, robust: true divides by ||u(a)|| + ||u(b)|| instead.
## Source: linearity. Tolerance 5e-2: learned.
contract superposition(m: model, loads: inputs, robust = false) {
  probe z, w in domain(m)
  a = z with (loads: z[loads]/2)
  b = z with (loads: w[loads]/2)
  c = z with (loads: (z[loads] + w[loads])/2)
  size = if robust then norm(m(a)) + norm(m(b)) else norm(m(c))
  violation = norm(m(c) - m(a) - m(b))/max(size, 1e-2*scale(m))
  tolerance = 0.05
}

## [LIN-HOM] Homogeneity, u(c a) = c u(a): ||u(c a) - c u(a)|| / ||c u(a)||. c is any number but 0 and 1; probes whose c a leaves the domain are left out, so 1/4 and 1/2
## judge them all, 2 and -1 some. As superposition, and one prediction cheaper. Tolerance 5e-2: learned.
contract homogeneity(m: model, loads: inputs, factor = 0.5) {
  needs factor != 0 and factor != 1 else "a factor of 0 or 1 asks nothing"
  probe z in domain(m)
  part = z with (loads: factor*z[loads])
  violation = norm(m(part) - factor*m(z))/max(abs(factor)*norm(m(z)), 1e-2*scale(m))
  tolerance = 0.05
}

## [LIN-AFF] Affine in the loads, u(s a + (1 - s) b) = s u(a) + (1 - s) u(b): linear operators with prescribed data that are not zero. Relative to
## ||u(a)||. Tolerance 5e-2: learned.
contract affine_in_load(m: model, loads: inputs, weight = 0.5) {
  needs 0 < weight < 1 else "the weight lies between 0 and 1"
  probe z, w in domain(m)
  b = z with (loads: w[loads])
  c = z with (loads: weight*z[loads] + (1 - weight)*w[loads])
  violation = norm(m(c) - weight*m(z) - (1 - weight)*m(b))/max(norm(m(z)), 1e-2*scale(m))
  tolerance = 0.05
}

## [SYM-ODD] Loads of the other sign give the answer of the other sign: ||u(-a) + u(a)|| / ||u(a)||. Needs ranges that are symmetric about 0: probes
## whose mirror image is outside are left out. Tolerance 5e-2: learned.
contract sign_reversal(m: model, loads: inputs) {
  probe z in domain(m)
  back = z with (loads: -z[loads])
  violation = norm(m(back) + m(z))/max(norm(m(z)), 1e-2*scale(m))
  tolerance = 0.05
}

## [SYM-EVEN] Loads of the other sign give the same answer: an energy, a drag. ||u(-a) - u(a)|| / ||u(a)||. Tolerance 5e-2: learned.
contract even_response(m: model, loads: inputs) {
  probe z in domain(m)
  back = z with (loads: -z[loads])
  violation = norm(m(back) - m(z))/max(norm(m(z)), 1e-2*scale(m))
  tolerance = 0.05
}

## [ZERO] Nothing in, nothing out: ||u(0)|| / S, for loads without sources beside them, from rest. Tolerance 5e-2, 1e-9 where it is built in.
contract zero_response(m: model, loads: inputs) {
  probe z in domain(m)
  none_of_it = z with (loads: 0*z[loads])
  violation = norm(m(none_of_it))/scale(m)
  tolerance = 0.05
}

## [NONTRIV] A model responds: a tenth of the typical size of the map's fields at least, max(0, 1 - rms ||u|| / (S/10)). What is linear, causal and zero fails here.
contract non_trivial(m: model) {
  violation = max(0, 1 - response(m)/(0.1*scale(m)))
  tolerance = 1e-9
}

# --- parameters: powers, units, monotone and convex quantities ---

## [SCL-POW] A power law in one input, u(c p) = c^power u(p): ||u(c p) - c^power u(p)|| / ||u(c p)||, with c so small a change that c p stays in its range.
## Tolerance 5e-2: learned.
contract scaling(m: model, input: input, power) {
  needs lower(m, input) > 0 else "the input changes its sign"
  probe z, w in domain(m)
  c = w[input]/z[input]
  scaled = z with (input: w[input])
  violation = norm(m(scaled) - c^power*m(z))/max(norm(m(scaled)), 1e-2*scale(m))
  tolerance = 0.05
}

## [SCL-REC] A stiffness or conductivity c times as large gives 1/c of the answer: ||c u(c E) - u(E)|| / ||u(E)||. For given loads and prescribed values
## that are zero. Tolerance 5e-2: learned.
contract reciprocal_scaling(m: model, input: input) {
  needs lower(m, input) > 0 else "the input changes its sign"
  probe z, w in domain(m)
  c = w[input]/z[input]
  scaled = z with (input: w[input])
  violation = norm(c*m(scaled) - m(z))/max(norm(m(z)), 1e-2*scale(m))
  tolerance = 0.05
}

## [DIM-PI] Units are a convention (Buckingham): inputs in a unit 1/c as large are c^powers[i] times as large, and outputs c^power times:
## `unit_invariance(m, first: E, others: [fx, fy], power: 0)` measures stresses in another unit. The factor is that of the first input, which has power 1, and
## of the others, which share `others_power`. Lengths and times of the mesh keep their units. Tolerance 1e-4: exact for any model of ratios.
contract unit_invariance(m: model, first: input, others: inputs, power = 0.0, others_power = 1.0) {
  needs lower(m, first) > 0 else "the input changes its sign"
  probe z, w in domain(m)
  c = w[first]/z[first]
  renamed = z with (first: w[first], others: c^others_power*z[others])
  violation = norm(m(renamed) - c^power*m(z))/max(norm(m(renamed)), 1e-2*scale(m))
  tolerance = 1e-4
}

## [MONO] A quantity Q = integral(q) over the body grows with an input (direction: 1) or falls (-1): max(0, direction*(Q(p1) - Q(p2))) / |Q(p1)| for p1 < p2.
## `monotone(m, q: abs(u)^2, input: E, direction: -1)`. Tolerance 1e-3: an order, which only round-off excuses.
contract monotone(m: model, q: field, input: input, direction = 1.0) {
  probe z, w in domain(m) where z[input] < w[input]
  raised = z with (input: w[input])
  low = integral(evaluate(q, m(z)))
  high = integral(evaluate(q, m(raised)))
  size = scale(m, of: q)*sqrt(measure(m))
  violation = max(0, direction*(low - high))/max(abs(low), 1e-2*size)
  tolerance = 1e-3
}

## [CVX] A quantity Q = integral(q) over the body is convex in an input (sign: 1) or concave (-1): max(0, -sign*(Q(p1) - 2 Q((p1 + p2)/2) + Q(p2))) / |Q| in the
## middle. Compliance is convex in stiffness. Tolerance 1e-2: a second difference.
contract convex(m: model, q: field, input: input, sign = 1.0) {
  probe z, w in domain(m)
  middle = z with (input: (z[input] + w[input])/2)
  other = z with (input: w[input])
  a = integral(evaluate(q, m(z)))
  b = integral(evaluate(q, m(middle)))
  c = integral(evaluate(q, m(other)))
  size = scale(m, of: q)*sqrt(measure(m))
  violation = max(0, -sign*(a - 2*b + c))/max(abs(b), 1e-2*size)
  tolerance = 1e-2
}

## [LIP] Near inputs give near answers: max(0, ||u(z) - u(w)|| / (factor L ||z - w||) - 1), L the steepest that the map itself is over a fixed bank of pairs, distances in
## the widths of the ranges. Finds cliffs. Tolerance 1e-1: L is an estimate.
contract continuity(m: model, factor = 2.0) {
  probe z, w in domain(m)
  violation = max(0, norm(m(z) - m(w))/(factor*steepness(m)*distance(z, w)) - 1)
  tolerance = 0.1
}

# --- witnesses ---

geometry _line = interval(0, 1)
pde _rod(q = 1.0, k = 1.0) on _line {
  unknown T : scalar P2
  -div(k*grad(T)) == q
  on left, right: T == 0
}
map _slab {
  input q in 0..1, k in 1..2
  output T from solve(_rod(q, k), mesh(_line, cells: [8]))
}
map _tilted {
  input q in -1..1, k in 1..2
  output T from solve(_rod(q, k), mesh(_line, cells: [8]))
}
map _upper {
  input q in 1..2, k in 1..2
  output T from solve(_rod(q, k), mesh(_line, cells: [8]))
}
# Exact answers; powers of the load, whose violations do not depend on the probe; a planted cubic term; nothing.
model _exact(q, k) for _slab { T = q/k*x*(1 - x)/2 }
model _square(q, k) for _slab { T = q^2/k*x*(1 - x)/2 }
model _cube(q, k) for _slab { T = q^3/k*x*(1 - x)/2 }
model _soft(q, k) for _slab { T = q/k^2*x*(1 - x)/2 }
model _rising(q, k) for _slab { T = (1 + q)*sqrt(k)*x*(1 - x)/2 }
model _convex_load(q, k) for _upper { T = q^2/k*x*(1 - x)/2 }
model _cliff(q, k) for _slab { T = (if q < 0.5 then 0 else 1)*x*(1 - x)/2 }
model _empty(q, k) for _slab { T = 1e-3*q/k*x*(1 - x)/2 }
model _odd(q, k) for _tilted { T = q/k*x*(1 - x)/2 }
model _even(q, k) for _tilted { T = abs(q)/k*x*(1 - x)/2 }
model _planted(q, k) for _tilted { T = (q + 100*q^3)/k*x*(1 - x)/2 }
model _lifted(q, k) for _tilted { T = q/k*x*(1 - x)/2 + 0.01 }
model _half_odd(q, k) for _tilted { T = (q + 0.01*abs(q))/k*x*(1 - x)/2 }

test "superposition" {
  accept superposition(_exact, loads: [q])
  # (a + b)^3 - a^3 - b^3 = 3 a b (a + b), at most 3/4 of (a + b)^3
  reject superposition(_cube, loads: [q]) v 0.75
  reject superposition(_square, loads: [q]) v 0.5
  # the same of a^3 + b^3: 3 at a = b
  reject superposition(_cube, loads: [q], robust: true) v 3 within 0.02
}
test "homogeneity" {
  accept homogeneity(_exact, loads: [q])
  reject homogeneity(_cube, loads: [q]) v 0.75
  # eps q^2 (1 - c^2)/(1 + eps q^2), eps = 100, at q = 1
  reject homogeneity(_planted, loads: [q]) v 0.75*100/101
  reject homogeneity(_planted, loads: [q], factor: 0.25) v 0.9375*100/101
  # where 2 a is admissible: (8 - 2)/2, and the sign of a square
  reject homogeneity(_cube, loads: [q], factor: 2) v 3
  reject homogeneity(_even, loads: [q], factor: -1) v 2
  skip homogeneity(_exact, loads: [q], factor: 1)
}
test "affine in load" {
  accept affine_in_load(_lifted, loads: [q])
  accept affine_in_load(_exact, loads: [q], weight: 0.3)
  # (a - b)^2/4 of a^2, for a = 1 and b = 2 at most
  reject affine_in_load(_convex_load, loads: [q]) v 0.2 within 0.25
}
test "signs" {
  accept sign_reversal(_odd, loads: [q])
  accept sign_reversal(_half_odd, loads: [q]) v 0.02/0.99 within 0.001
  reject sign_reversal(_even, loads: [q]) v 2
  accept even_response(_even, loads: [q])
  reject even_response(_odd, loads: [q]) v 2
}
test "zero response" {
  accept zero_response(_exact, loads: [q])
  # 0.01 of sqrt(1/120)*sqrt(1/6), the mean over all inputs
  reject zero_response(_lifted, loads: [q]) v 0.27 within 0.3
}
test "non_trivial" {
  accept non_trivial(_exact) v 0
  reject non_trivial(_empty) v 0.99 within 0.002
}
test "powers" {
  accept scaling(_exact, input: k, power: -1)
  accept reciprocal_scaling(_exact, input: k)
  # c^-2 in place of c^-1: |1/c - 1| and |c - 1|, at most 1 and found in 64 samples to this
  reject reciprocal_scaling(_soft, input: k) v 0.7 within 0.4
  reject scaling(_soft, input: k, power: -1) v 0.8 within 0.3
  accept scaling(_soft, input: k, power: -2)
  accept unit_invariance(_exact, first: k, others: [q])
  # |1 - c^-2| at c = 1/2, as far as c q is admissible
  reject unit_invariance(_cube, first: k, others: [q]) v 1.8 within 0.2
}
test "continuity" {
  accept continuity(_exact) v 0
  # a jump of the size of the answers between inputs that are near
  reject continuity(_cliff) v 1.8 within 0.4
}
test "monotone, convex" {
  accept monotone(_exact, q: T, input: k, direction: -1) v 0
  reject monotone(_exact, q: T, input: k) v 0.5 within 0.2
  accept monotone(_rising, q: T, input: k)
  accept convex(_exact, q: T, input: k) v 0
  # sqrt: 2 sqrt(1.5) - 1 - sqrt(2) of sqrt(1.5)
  reject convex(_rising, q: T, input: k) v 0.0288 within 0.3
  accept convex(_rising, q: T, input: k, sign: -1)
}
