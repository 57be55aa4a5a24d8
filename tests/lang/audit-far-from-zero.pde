# A planted bump whose constants leave the range of doubles when they are multiplied out: nothing is proved of it, and it is found.
geometry line = interval(0, 1)
pde conduct(q = 1.0, k = 1.0) on line {
  unknown T : scalar P2
  -div(k*grad(T)) == q
  on left, right: T == 0
}
map slab { input q in 0..1, k in 1..2; output T from solve(conduct(q, k), mesh(line, cells: [8])) }
model bump(q, k) for slab { T = q/k*x*(1 - x)/2 + 0.05*exp(-200*((q - 0.8)^2 + (k - 1.3)^2))*x }
contracts edge(m: model) { hard trace(m, T == 0, part: right)  tol 0.1 }
v = audit bump against edge { samples: 32; adversary { starts: 4; steps: 40 } }
assert v.checks[0].status != "error" and v.checks[0].v > 0 and v.checks[0].adversary > 1
map wide { input q in 0.5..2; output T from solve(conduct(q), mesh(line, cells: [8])) }
model power(q) for wide { T = q*x*(1 - x)/2 + (q/2)^5000*x*(1 - x) }
contract linear(m: model) {
  probe z in domain(m)
  violation = norm(m(z)/z.q - m(z with (q: 1)))/scale(m)
  tolerance = 1e-6
}
w = check power against linear(power)
assert not w.checks[0].proved
