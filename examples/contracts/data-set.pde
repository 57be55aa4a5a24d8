## Cases of a map for training elsewhere, and predictions that were made elsewhere, audited: NumPy reads cases.npz by np.load, and what it writes with the same
## names comes back as a model of recorded cases. A run that is killed goes on with the row that it was at.
geometry bar = interval(0, 1)
pde conduct(q = 1, k = 1) on bar {
  unknown T : scalar P1
  -div(k*grad(T)) == q
  on left: T == 0
}
m = mesh(bar, cells: [32])
map slab {
  input q in 0.5..2, k in 1..4
  output T from solve(conduct(q, k), m)
}
(train_set, valid_set) = sample(slab, 24, 8, design: sobol, seed: 11, file: "cases.npz")
print(train_set)
print(valid_set.q[0], valid_set.k[0])

model seen for slab { file: "cases.npz" }
contract positive(m: model) {
  probe z in domain(m)
  violation = max(0, -min(m(z)))/scale(m)
  tolerance = 1e-3
}
## Needs predictions at inputs that nobody recorded: it is skipped, and says so.
contract linear(m: model) {
  probe z in domain(m)
  violation = norm(m(z with (q: 1)) - m(z)/z.q)/scale(m)
  tolerance = 1e-6
}
contracts recorded(m: model) {
  hard positive(m)
  soft linear(m)
}
v = audit seen against recorded { samples: 32; seed: 2 }
assert v.passed
