# An empty pack judges nothing, and nothing passes.
#! expect: audit good: 4 samples, seed 1
#! expect:   pass    hard non_trivial  violation 0, tolerance 1e-09
#! expect:   gate passes nothing: no hard contract was judged, vset 23d9b1627d14
#! expect: false no_active_hard
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
contracts p(g: model) { }
v = audit good against p { samples: 4 }
print(v.passed, v.gate)
