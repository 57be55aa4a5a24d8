# A map whose unknowns have no element written lies on the linear element of its mesh, Q1 on quadrilaterals and hexahedra.
#! status 2
geometry square = rectangle(x: 0..1, y: 0..1)
geometry cube = box(x: 0..1, y: 0..1, z: 0..1)
pde plane(q = 1.0) on square {
  unknown u : scalar
  -lap(u) == 0
  on left: u == q
  on right: u == 0
  on others: dot(grad(u), n) == 0
}
pde plane2(q = 1.0) on square {
  unknown u : scalar Q2
  -lap(u) == 0
  on left: u == q
  on right: u == 0
  on others: dot(grad(u), n) == 0
}
pde solid(q = 1.0) on cube {
  unknown u : scalar
  -lap(u) == 0
  on x_min: u == q
  on x_max: u == 0
  on others: dot(grad(u), n) == 0
}
map free { input q in 0..1; output u from solve(plane(q), mesh(square, h: 0.2, kind: quad)) }
map grid { input q in 0..1; output u from solve(plane(q), mesh(square, cells: [4, 4], kind: quad)) }
map fine { input q in 0..1; output u from solve(plane2(q), mesh(square, h: 0.3, kind: quad)) }
map bricks {
  input q in 0..1
  output u from solve(solid(q), mesh(cube, cells: [3, 3, 3], kind: hex))
}
model half(q) for free { u = q*(1 - x)/2 }
contract known(m: model) {
  probe z in domain(m)
  violation = norm(m(z) - z.q*(1 - x))
  tolerance = 1e-8
}
contracts c(m: model) { hard known(m); hard superposition(m, loads: q) }
a = audit free against c { samples: 8 }
b = audit grid against c { samples: 8 }
d = audit fine against c { samples: 8 }
e = audit bricks against c { samples: 8 }
assert a.passed and b.passed and d.passed and e.passed
wrong = audit half against c { samples: 8 }
assert not wrong.passed and len(wrong.failures) == 1
