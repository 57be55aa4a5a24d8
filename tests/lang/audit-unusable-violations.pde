# A violation below 0 judges nothing, of samples and of a number alike.
#! expect: audit good: 4 samples, seed 1
#! expect:   ERROR   hard negative     the violation is below 0: it is a distance from what holds, such as a norm or max(0, ...)
#! expect:                           at z: (q: 0.4327449275927212), replay 2be5b5758b4d
#! expect:   ERROR   hard flat         the violation is below 0: it is a distance from what holds, such as a norm or max(0, ...)
#! expect:   pass    hard non_trivial  violation 0, tolerance 1e-09
#! expect:   gate passes nothing: a check failed with an error, vset 3f63c6b38171
#! expect: false error
#! status 2
geometry line = interval(0, 1)
pde conduct(q = 1.0) on line {
  unknown T : scalar P2
  -lap(T) == q
  on left, right: T == 0
}
m = mesh(line, cells: [8])
map slab { input q in 0..1; output T from solve(conduct(q), m) }
model good(q) for slab { T = q*x*(1 - x)/2 }
contract negative(g: model) {
  probe z in domain(g)
  violation = -norm(g(z))/scale(g)
  tolerance = 1e-3
}
contract flat(a: real) { violation = a; tolerance = 1e-3 }
contracts p(g: model) { hard negative(g); hard flat(-1) }
v = audit good against p { samples: 4 }
print(v.passed, v.gate)
