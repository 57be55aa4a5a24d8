# status 2: the models are wrong, and the audit says where
## Models with planted faults, whose violations are known: a cubic term, a shifted boundary, a look ahead, nothing at all. Each is near to the truth in error, or linear
## and causal, and fails the contract that it breaks.
geometry line = interval(0, 1)
m = mesh(line, cells: [16])
pde rod(q = 1.0, k = 1.0) on line {
  unknown T : scalar P2
  -div(k*grad(T)) == q
  on left, right: T == 0
}
map slab {
  input q in -1..1, k in 1..2
  output T from solve(rod(q, k), m)
}
model cubic(q, k) for slab { T = (q + 2*q^3)/k*x*(1 - x)/2 }
model shifted(q, k) for slab { T = q/k*x*(1 - x)/2 + 0.003*q }
model nothing(q, k) for slab { T = 1e-4*q/k*x*(1 - x)/2 }
contracts slab_pack(m: model) {
  hard homogeneity(m, loads: [q])        # of the cubic one eps (1 - c^2)/(1 + eps) = 0.5 at q = 1, eps = 2 and c = 1/2
  hard reciprocal_scaling(m, input: k)
  hard trace(m, T == 0, part: left)
  hard non_trivial(m)
}
a = audit cubic against slab_pack { samples: 64; seed: 1 }
assert abs(a.checks[0].v - 0.5) < 0.01*0.5
b = audit shifted against slab_pack { samples: 64; seed: 1 }
c = audit nothing against slab_pack { samples: 64; seed: 1 }
print(a.failures[0].contract, b.failures[0].contract, c.failures[0].contract)

pde warm(f = 0.0) on line {
  unknown T : scalar P1
  dt(T) == lap(T) + f
  on left, right: T == 0
  initially: T == 0
}
map driven {
  input f(t) from bank [t, t^2, t*(1 - t)]
  output T(t) from solve(warm(f), m, time: 0..1, step: 0.05)
}
# A smoother that looks both ways: what comes 0.1 later has half of the weight.
model smooth(f) for driven { T = ((f at (t - 0.1)) + (f at (t + 0.1)))*x*(1 - x)/20 }
contracts in_time(m: model) {
  hard causality(m)
  hard superposition(m, loads: [f])
}
d = audit smooth against in_time { samples: 32; seed: 1 }
print(d.failures[0].contract, d.failures[0].v > 0.5)
