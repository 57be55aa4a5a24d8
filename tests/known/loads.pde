# Known answers: contracts of loads and parameters. One map, whose inputs are all but fixed, so that a violation is a number and not a range; and models with a known fault each:
# exact; eps q^3 planted; collapsed to zero (linear, and caught by NONTRIV alone); almost nothing, so that a denominator is its floor; a step in the middle of a range.

geometry line = interval(0, 1)
nodes = mesh(line, cells: [8])
field shape = x*(1 - x)/2                         # its norm is 1/sqrt(120), its integral 1/12
size = 1/sqrt(120)
eps = 0.1

pde conduct(q = 1.0, k = 1.0) on line {
  unknown T : scalar P2
  -div(k*grad(T)) == q
  on left, right: T == 0
}
map pinned {
  input q in 1..1.0001, k in 1..1.0001
  output T from solve(conduct(q, k), nodes)
}
model exact(q, k) for pinned { T = q/k*shape }
model planted(q, k) for pinned { T = (q + eps*q^3)/k*shape }
model collapsed(q, k) for pinned { T = 0*q*k*shape }
model lifted(q, k) for pinned { T = q/k*shape + 0.01 }
model weak(q, k) for pinned { T = 0.05*q/k*shape }
model step(q, k) for pinned { T = (if k < 1.00005 then 1 else 1.1)*shape }
model faint_step(q, k) for pinned { T = 1e-6*(if k < 1.00005 then 1 else 1.1)*shape }
model load_step(q, k) for pinned { T = (if q < 1.00005 then 1 else 2)*shape }
model faint_load_step(q, k) for pinned { T = 1e-6*(if q < 1.00005 then 1 else 2)*shape }

map signed {
  input q in -1..1
  output T from solve(conduct(q, 1), nodes)
}
model odd(q) for signed { T = q*shape }
model even(q) for signed { T = abs(q)*shape }
model nearly_odd(q) for signed { T = (q + eps*abs(q))*shape }
model nearly_even(q) for signed { T = (abs(q) + eps*q)*shape }
model nothing(q) for signed { T = 0*q*shape }
model faint_even(q) for signed { T = 1e-6*shape }
model faint_odd(q) for signed { T = 1e-6*(if q < 0 then -1 else 1)*shape }

map single {
  input q in 0..1
  output T from solve(conduct(q, 1), nodes)
}
model steep(q) for single { T = 3*q*shape }
model flat(q) for single { T = 0*q*shape }
model plain(q) for single { T = q*shape }
model strong(q) for single { T = (q + 1e3*q^3)*shape }
model cubic(q) for single { T = (q + eps*q^3)*shape }
model constant(q) for single { T = 0.01 + 0*q }
model faint_gate(q) for single { T = 1e-6*(if q < 0.25 then 0 else 1)*shape }

contracts planted_in_loads(m: model) {
  hard zero_response(m, loads: [q])
  soft superposition(m, loads: [q])
  soft homogeneity(m, loads: [q])
}

test "the scale of the map" {
  assert abs(scale(pinned)/size - 1) < 1e-3, "the norm of x (1 - x)/2"
  assert abs(largest(pinned)/0.125 - 1) < 1e-3
}
test "LIN-SUP" {
  accept superposition(single, loads: [q])
  accept superposition(plain, loads: [q])
  # (a + b)^3 - a^3 - b^3 is 3/4 of (a + b)^3 where a is b
  reject superposition(strong, loads: [q]) v 0.75
  reject superposition(strong, loads: [q], robust: true) v 3 within 0.02
  accept superposition(flat, loads: [q]) v 0
  # what does not come from the load stands twice on the one side and once on the other
  reject superposition(constant, loads: [q]) v 1
  # 1 where one of the halves, or both, pass the step: over the floor of a hundredth
  accept superposition(faint_gate, loads: [q]) v 1e-4*size/scale(single)
}
test "LIN-SUP, the search finds eps q^3" {
  v = audit cubic against planted_in_loads { samples: 16; seed: 1; adversary { starts: 4; steps: 50 } }
  assert v.passed
  assert abs(v.checks[1].adversary/(0.75*eps/(1 + eps)) - 1) < 0.01, f"superposition {v.checks[1].adversary}"
  assert abs(v.checks[2].adversary/(0.75*eps/(1 + eps)) - 1) < 0.01, f"homogeneity {v.checks[2].adversary}"
}
test "LIN-HOM" {
  accept homogeneity(plain, loads: [q]) v 0
  reject homogeneity(strong, loads: [q]) v 0.75
  reject homogeneity(strong, loads: [q], factor: 0.25) v 0.9375
  accept homogeneity(flat, loads: [q]) v 0
  accept homogeneity(faint_gate, loads: [q]) v 0.5e-4*size/scale(single)
  reject homogeneity(even, loads: [q], factor: -1) v 2
  skip homogeneity(plain, loads: [q], factor: 0)
  # twice the load is outside of the domain for all
  skip homogeneity(exact, loads: [q], factor: 2)
}
test "LIN-AFF" {
  accept affine_in_load(exact, loads: [q])
  accept affine_in_load(lifted, loads: [q])
  # a below the step and b above it: |1 - 3/2| or |2 - 3/2| of 1
  reject affine_in_load(load_step, loads: [q]) v 0.5
  accept affine_in_load(collapsed, loads: [q]) v 0
  accept affine_in_load(faint_load_step, loads: [q]) v 0.5e-4
  skip affine_in_load(exact, loads: [q], weight: 1)
}
test "SYM-ODD" {
  accept sign_reversal(odd, loads: [q]) v 0
  accept sign_reversal(nothing, loads: [q]) v 0
  # 2 eps |q| of (1 - eps) |q|
  reject sign_reversal(nearly_odd, loads: [q]) v 2*eps/(1 - eps)
  reject sign_reversal(even, loads: [q]) v 2
  accept sign_reversal(faint_even, loads: [q]) v 2e-4*size/scale(signed)
  # no load of the other sign is admissible
  skip sign_reversal(exact, loads: [q])
}
test "SYM-EVEN" {
  accept even_response(even, loads: [q]) v 0
  accept even_response(nothing, loads: [q]) v 0
  reject even_response(nearly_even, loads: [q]) v 2*eps/(1 - eps)
  reject even_response(odd, loads: [q]) v 2
  accept even_response(faint_odd, loads: [q]) v 2e-4*size/scale(signed)
}
test "SCL-REC" {
  accept reciprocal_scaling(exact, input: k)
  # c is 1 but for 1e-4, and the field 1.1 times as large beyond the step
  reject reciprocal_scaling(step, input: k) v 0.1
  accept reciprocal_scaling(collapsed, input: k) v 0
  accept reciprocal_scaling(faint_step, input: k) v 1e-5 within 0.02
  skip reciprocal_scaling(odd, input: q)
}
test "SCL-POW" {
  accept scaling(exact, input: k, power: -1)
  accept scaling(planted, input: k, power: -1)
  reject scaling(step, input: k, power: -1) v 0.1
  accept scaling(collapsed, input: k, power: 3) v 0
  accept scaling(faint_step, input: k, power: 1) v 1e-5 within 0.02
  skip scaling(odd, input: q, power: 1)
}
test "DIM-PI" {
  accept unit_invariance(exact, first: k, others: [q])
  reject unit_invariance(step, first: k, others: [q]) v 0.1
  accept unit_invariance(collapsed, first: k, others: [q]) v 0
  accept unit_invariance(faint_step, first: k, others: [q]) v 1e-5 within 0.02
  skip unit_invariance(plain, first: q, others: [q])
}
test "ZERO" {
  accept zero_response(plain, loads: [q]) v 0
  accept zero_response(strong, loads: [q]) v 0
  accept zero_response(flat, loads: [q]) v 0
  reject zero_response(constant, loads: [q]) v 0.01/scale(single)
}
test "NONTRIV" {
  accept non_trivial(exact) v 0
  accept non_trivial(planted) v 0
  reject non_trivial(collapsed) v 1
  reject non_trivial(weak) v 0.5
}
test "MONO" {
  accept monotone(exact, q: T, input: k, direction: -1) v 0
  reject monotone(step, q: T, input: k, direction: -1) v 0.1
  accept monotone(step, q: T, input: k) v 0
  accept monotone(collapsed, q: T, input: k) v 0
  # 1e-7/12 over a hundredth of the norm
  accept monotone(faint_step, q: T, input: k, direction: -1) v 1e-5/12/size
}
test "CVX" {
  accept convex(exact, q: T, input: k)
  # the middle beyond the step: 1 - 2.2 + 1.1 of 1.1; before it: 1 - 2 + 1.1
  reject convex(step, q: T, input: k) v 0.1/1.1
  reject convex(step, q: T, input: k, sign: -1) v 0.1
  accept convex(collapsed, q: T, input: k) v 0
  accept convex(faint_step, q: T, input: k) v 1e-5/12/size
}
test "LIP" {
  accept continuity(plain) v 0
  # three times as steep as the map, which may be twice as steep as it is
  reject continuity(steep) v 0.5
  accept continuity(steep, factor: 3) v 0 within 1
  accept continuity(flat) v 0
}
