# Maps with units: violations are dimensionless, defaults of parameters carry units; probes that leave the domain are no evidence.
geometry square = rectangle(x: 0 [m]..1 [m], y: 0 [m]..1 [m])
pde heat(q = 1 [W/m^3], k = 2 [W/(m*K)]) on square {
  unknown T : scalar P1 [K]
  -div(k*grad(T)) == q
  on all: T == 0
}
map plate {
  input q in 0 [W/m^3]..100 [W/m^3], k in 1 [W/(m*K)]..2 [W/(m*K)]
  output T from solve(heat(q, k), mesh(square, cells: [6, 6]))
}
contract peak(m: model, most = 10 [K]) {
  probe z in domain(m)
  violation = max(0, max(m(z))/most - 1)
  tolerance = 1e-2
}
contract outside(m: model) {
  probe z in domain(m)
  violation = norm(m(z with (q: 1000*z.q + 200 [W/m^3])))/(1e9*scale(m))
  tolerance = 1
}
contract some_outside(m: model) {
  needs duration(m) == 0 [s] else "steady only"
  probe z in domain(m)
  needs z.k > 1.5 [W/(m*K)] else "a good conductor"
  violation = norm(m(z with (q: 2*z.q)) - 2*m(z))/scale(m)
  tolerance = 1e-6
}
contracts p(m: model) {
  hard superposition(m, loads: q)
  hard scaling(m, input: k, power: -1)
  hard trace(m, T == 0, part: left)
  hard peak(m)
  hard outside(m)
  hard some_outside(m) tol default
}
model guess(q, k) for plate { T = q/k*x*(1 [m] - x)*0.07 }
u = audit plate against p { samples: 16 }
v = audit guess against p { samples: 16; calibrate: 4 }
for r in [u, v] {
  assert r.passed
  assert r.checks[4].status == "ood_stress" and r.checks[5].samples > 0
  assert r.checks[0].samples == 16
}
