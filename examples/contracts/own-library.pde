## A contract library of one's own: contracts, a witness that each accepts and one that it rejects, with the violation that is known. `pde test own-library.pde` runs them, `pde
## test --mutate own-library.pde` changes the formulas one by one and tells which changes no test notices.
geometry rod = interval(0, 1)
pde heated(q = 1.0, k = 1.0) on rod {
  unknown T : scalar P2
  -div(k*grad(T)) == q
  on left: T == 0
  on right: dot(k*grad(T), n) == 0
}
map heater {
  input q in 1..2, k in 1..4
  output T from solve(heated(q, k), mesh(rod, cells: [8]))
}

## [HOT-END] The temperature rises towards the insulated end: what it falls by along x, of what it rises by. Tolerance 1e-3: an order.
contract rises(m: model, u: output) {
  probe z in domain(m)
  slope = dx(m(z)[u])
  violation = integral(max(0, -slope))/max(integral(abs(slope)), 1e-2*scale(m, of: u))
  tolerance = 1e-3
}

## [HEAT-OUT] What is produced leaves at the left end: |flux + q| / q. Tolerance 5e-2: a derivative.
contract leaves(m: model, flux: field, source: field) {
  probe z in domain(m)
  f = m(z)
  out = -integral(dot(evaluate(flux, f), n), on: left)
  violation = abs(out - integral(evaluate(source, f)))/integral(abs(evaluate(source, f)))
  tolerance = 0.05
}

model exact(q, k) for heater { T = q/k*(x - x^2/2) }
model falls(q, k) for heater { T = q/k*x*(1 - x) }
test "rises" {
  accept rises(exact, T) v 0
  reject rises(falls, T) v 0.5
}
test "leaves" {
  accept leaves(exact, flux: k*grad(T), source: q)
  reject leaves(exact, flux: 2*k*grad(T), source: q) v 1
}
contracts heating(m: model) {
  hard rises(m, T)
  hard leaves(m, flux: k*grad(T), source: q)
}
audit exact against heating { samples: 32; seed: 1 }
