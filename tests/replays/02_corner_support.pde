# Gridap #371: an edge prescribes one component, its corner point the other; the point lost and the matrix was singular.
geometry square = rectangle(x: 0..2, y: 0..2)
fn stress(u) = 0.6*tr(eps(u))*I + 0.8*eps(u)
pde pulled on square {
  unknown u : vector P1
  div(stress(u)) == 0
  on left { u.x == 0; dot(stress(u), n).y == 0 }
  on point (0, 2): u.y == 0
  on right: dot(stress(u), n) == (1, 0)
  on others: dot(stress(u), n) == 0
}
s = solve(pulled, mesh(square, cells: [2, 2]))
e = 1.4/(1.4^2 - 0.6^2)
v = norm(s.u - (e*x, -0.6/1.4*e*(y - 2)), Linf)
assert v < 1e-13, f"{v}"
print("ok the edge holds x, its corner holds y")
assert max(abs(s.u(0, 2)[0]), abs(s.u(0, 2)[1])) < 1e-15
print("ok the corner stays")
