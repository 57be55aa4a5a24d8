# Linear elements lock on quadrilaterals and hexahedra as on triangles; the advice names the quadratic element of the mesh.
#! error W2070
#! status 0
#! expect: locked
geometry g = rectangle(x: 0..4, y: 0..1)
pde p(la = 1000, mu = 1) on g {
  unknown u : vector
  div(2*mu*eps(u) + la*tr(eps(u))*I) == 0
  on left: u == 0
  on right: dot(2*mu*eps(u) + la*tr(eps(u))*I, n) == (0, -0.001)
  on others: dot(2*mu*eps(u) + la*tr(eps(u))*I, n) == 0
}
s = solve(p, mesh(g, cells: [8, 2], kind: quad))
print("locked")
