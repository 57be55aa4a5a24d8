## A surrogate that is a program beside this script (predict.py, with NumPy) is audited as the solver itself would be: fields at the nodes of the map's mesh,
## whatever they come from. In place of its formula stands your network.
geometry bar = interval(0, 1)
pde conduct(q = 1) on bar {
  unknown T : scalar P2
  -lap(T) == q
  on all: T == 0
}
m = mesh(bar, cells: [32])

map slab {
  input q in 0.5..2
  output T from solve(conduct(q), m)
}
model net for slab { process: "python3 predict.py"; timeout: 30 }

## The field is proportional to the source.
contract linear(m: model) {
  probe z in domain(m)
  half = z with (q: z.q/2 + 0.25)
  rest = z with (q: z.q/2 + 0.75)
  violation = norm(m(half) + m(rest) - m(z)*(1 + 1/z.q))/max(norm(m(z)), 0.01*scale(m))
  tolerance = 1e-6
}
## It vanishes at both ends.
contract ends(m: model) {
  probe z in domain(m)
  violation = norm(m(z), on: all)/scale(m)
  tolerance = 1e-9
}
contracts surrogate(m: model) {
  hard linear(m)
  hard ends(m)
}
v = audit net against surrogate { samples: 64; seed: 1 }
assert v.passed, "the surrogate breaks its contracts"
