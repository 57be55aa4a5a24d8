# A map of several outputs: norms divide each by its scale; a model that answers with nothing fails.
#! status 2
geometry square = rectangle(x: 0..1, y: 0..1)
pde stokes(force = 1.0) on square {
  unknown u : vector P2
  unknown p : scalar P1
  weak v, q: integral(inner(grad(u), grad(v)) - p*div(v) - q*div(u)) == integral(force*y*v.x)
  on all: u == 0
  mean(p) == 0
}
map cavity {
  input force in 0..1
  output u, p from solve(stokes(force), mesh(square, cells: [6, 6]))
}
contract divergence(m: model) {
  probe z in domain(m)
  u = m(z).u
  violation = norm(div(u))/max(norm(grad(u)), 1e-2*scale(m))
  tolerance = 0.5
}
contracts c(m: model) { hard superposition(m, loads: force); hard divergence(m); hard trace(m, u == 0, part: left) }
a = audit cavity against c { samples: 4 }
model none(force) for cavity { u = (0, 0); p = 0*x }
b = audit none against c { samples: 4 }
assert a.passed and not b.passed and len(b.failures) == 1 and b.failures[0].contract == "non_trivial"
