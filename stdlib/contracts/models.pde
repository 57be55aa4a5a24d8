## Contracts of models: what predictions must satisfy, whoever makes them.
##
## Every one is known without an import: `audit candidate against linear_elastic`, `check candidate against causality(candidate)`. Probes are drawn from the
## inputs of the model's map; predictions are those of the model, and scale(m) is the typical size of the map's own fields, so that a model
## that answers with nothing gains nothing. The tag in brackets is the row of the catalogue. The tests at the end hold, for each
## contract, a witness that it accepts and one that it rejects.

## [LIN-SUP] Load superposition: the answer to a sum of loads is the sum of the answers, other inputs equal.
contract superposition(m: model, loads: inputs) {
  probe z, w in domain(m)
  a = z with (loads: z[loads]/2)
  b = z with (loads: w[loads]/2)
  c = z with (loads: (z[loads] + w[loads])/2)
  violation = norm(m(c) - m(a) - m(b))/max(norm(m(c)), 1e-2*scale(m))
  tolerance = 0.05
}

## [SCL-POW] A power law in one input: u(c p) = c^power u(p), with c so small a change that c p stays in its range.
contract scaling(m: model, input: input, power) {
  needs lower(m, input) > 0 else "the input changes its sign"
  probe z, w in domain(m)
  c = w[input]/z[input]
  scaled = z with (input: w[input])
  violation = norm(m(scaled) - c^power*m(z))/max(norm(m(scaled)), 1e-2*scale(m))
  tolerance = 0.05
}

## [BC-D, BC-T] The two sides of an equation agree on a boundary, in the mean over it, relative to the typical size of the field in the body.
contract trace(m: model, law: condition, part: boundary) {
  probe z in domain(m)
  violation = norm(residual(law, m(z)), on: part)/scale(m)*sqrt(measure(m)/measure(m, on: part))
  tolerance = 1e-2
}

## [IC] The first state satisfies an equation.
contract initial(m: model, law: condition) {
  needs duration(m) > 0 else "the model has no time"
  probe z in domain(m)
  violation = norm(residual(law, m(z)) at times(m)[0])*sqrt(duration(m))/scale(m)
  tolerance = 1e-2
}

## [BND-AMP, BND-RNG] An inequality holds everywhere: `bound(m, abs(u) <= 10)`. Relative to `size`, a typical value of its sides.
contract bound(m: model, law: condition, size = 1) {
  probe z in domain(m)
  violation = max(0, max(residual(law, m(z))))/size
  tolerance = 1e-2
}

## [CAUS] What comes later changes nothing before it: histories that agree up to a time give fields that agree up to it.
contract causality(m: model, split = 0.5) {
  needs has_histories(m) else "no input is a function of time"
  probe p, q in domain(m)
  s = times(m)[0] + split*duration(m)
  r = splice(p, q, at: s)
  violation = norm(m(p) - m(r), until: s)/max(norm(m(p), until: s), 1e-2*scale(m))
  tolerance = 0.05
}

## [NONTRIV] A model responds: a tenth of the typical size of the map's fields at least.
contract non_trivial(m: model) {
  violation = max(0, 1 - response(m)/(0.1*scale(m)))
  tolerance = 1e-9
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
model _exact(q, k) for _slab { T = q/k*x*(1 - x)/2 }
model _bent(q, k)  for _slab { T = q^2/k^2*x*(1 - x)/2 + 0.01*q }
model _empty(q, k) for _slab { T = 1e-3*q/k*x*(1 - x)/2 }

pde _warm(f = 0.0) on _line {
  unknown T : scalar P1
  dt(T) == lap(T) + f
  on left, right: T == 0
  initially: T == 0
}
map _driven {
  input f(t) from bank [sin(6*t), t, 1 - t, 1]
  output T(t) from solve(_warm(f), mesh(_line, cells: [4]), time: 0..1, step: 0.1)
}
model _follows(f) for _driven { T = 0.1*t*f*x*(1 - x) }
model _foresees(f) for _driven { T = 0.1*(f at (t + 0.2))*x*(1 - x) }

test "superposition" { accept superposition(_exact, loads: [q]); reject superposition(_bent, loads: [q]) }
test "scaling" { accept scaling(_exact, input: k, power: -1); reject scaling(_bent, input: k, power: -1) }
test "trace" { accept trace(_exact, T == 0, part: left); reject trace(_bent, T == 0, part: left) }
test "initial" { accept initial(_follows, T == 0); reject initial(_foresees, T == 0) }
test "bound" { accept bound(_exact, T <= 0.2, size: 0.1); reject bound(_exact, T <= 0.05, size: 0.1) }
test "causality" { accept causality(_follows); reject causality(_foresees); accept causality(_driven) }
test "non_trivial" { accept non_trivial(_exact); reject non_trivial(_empty) }
