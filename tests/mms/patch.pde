# Patch tests: what the elements can hold is found to 1e-12, on unstructured and on structured meshes, in 1D to 3D.
geometry plate = polygon([(0, 0), (1.2, 0.1), (1.4, 0.8), (0.6, 1.1), (0.1, 0.7)])
geometry block = box(x: 0..1, y: 0..0.8, z: 0..0.6)
geometry line = interval(0, 2)
geometry halves {
  body = rectangle(x: 0..1, y: 0..0.5)
  shape = body
  region soft = where x < 0.3
  region hard = where x >= 0.3
}
field lin = 3 + 2*x - y
field quad = 1 + x^2 - 2*x*y + 3*y^2 + y
field lin3 = 3 + 2*x - y + 0.7*z
field disp = (0.1 + 0.2*x - 0.3*y, 0.5*x + 0.1*y)
field disp3 = (0.1*x - 0.2*y + 0.4*z, 0.3*x + y, 0.2*z - x + 1)
fn stress(u) = 2*tr(eps(u))*I + 1.5*eps(u)
field k { on soft: 4; on hard: 1 }
field kinked { on soft: x; on hard: 0.3 + 4*(x - 0.3) }

pde p1 on plate {
  unknown u : scalar P1
  -div(2*grad(u)) == 0
  on side1: u == lin
  on side2: dot(2*grad(u), n) == dot(2*grad(lin), n) + 3*(lin - u)
  on others: dot(2*grad(u), n) == dot(2*grad(lin), n)
}
pde p2 on plate {
  unknown u : scalar P2
  -div((1 + x)*grad(u)) == -div((1 + x)*grad(quad))
  on side1: u == quad
  on others: dot((1 + x)*grad(u), n) == dot((1 + x)*grad(quad), n)
}
pde elastic on plate {
  unknown u : vector P1
  -div(stress(u)) == 0
  on side1: u == disp
  on others: dot(stress(u), n) == dot(stress(disp), n)
}
pde elastic2 on plate {
  unknown u : vector P2
  -div(stress(u)) == 0
  on point (0, 0): u == disp
  on point (1.2, 0.1): u.y == disp.y
  on all: dot(stress(u), n) == dot(stress(disp), n)
}
pde scalar3 on block { unknown u : scalar P1; -lap(u) == 0; on x_min, z_max: u == lin3; on others: dot(grad(u), n) == dot(grad(lin3), n) }
pde elastic3 on block {
  unknown u : vector P1
  -div(stress(u)) == 0
  on x_min: u == disp3
  on others: dot(stress(u), n) == dot(stress(disp3), n)
}
pde two_materials on halves {
  unknown u : scalar P1
  -div(k*grad(u)) == 0
  on body.left, body.right: u == kinked
  on others: dot(k*grad(u), n) == 0
}
pde robin_1d on line {
  unknown u : scalar P2
  -lap(u) + u == -2 + x^2
  on left: dot(grad(u), n) == 0
  on right: dot(grad(u), n) == 4 + 5*(4 - u)
}
fn exactly(e, scale, what) {
  v = norm(e, Linf)
  assert v < 1e-12*scale, f"{what}: off by {v:.2e}"
  print(f"ok {what}")
}
for (m, kind) in [(mesh(plate, h: 0.15), "unstructured"), (refined(mesh(plate, h: 0.4)), "refined")] {
  exactly(solve(p1, m).u - lin, 4, f"P1 holds linear fields ({kind})")
  exactly(solve(p2, m).u - quad, 6, f"P2 holds quadratic fields ({kind})")
  exactly(solve(elastic, m).u - disp, 1, f"linear displacement, P1 ({kind})")
  exactly(solve(elastic2, m).u - disp, 1, f"linear displacement, P2, supported at points ({kind})")
}
for (m, kind) in [(mesh(block, h: 0.25), "unstructured"), (mesh(block, cells: [4, 3, 3]), "structured")] {
  exactly(solve(scalar3, m).u - lin3, 5, f"P1 in 3D ({kind})")
  exactly(solve(elastic3, m).u - disp3, 1, f"linear displacement in 3D ({kind})")
}
for (m, kind) in [(mesh(halves, h: 0.08), "unstructured"), (mesh(halves, cells: [10, 4]), "structured")] {
  s = solve(two_materials, m)
  exactly(s.u - kinked, 3, f"a kink at the interface of two materials ({kind})")
  assert abs(flux(s, interface(soft, hard)) - 2) < 2e-12, f"flux through the interface {flux(s, interface(soft, hard))}"
}
exactly(solve(robin_1d, mesh(line, cells: [7])).u - x^2, 4, "P2 with Robin data in 1D")
