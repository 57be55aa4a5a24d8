# Reactions of a weak form are those of the strong one.
#! expect: -0.583268 -2.91673 -1.5
#! expect: -0.583268 -2.91673
geometry s = rectangle(x: 0..1, y: 0..1)
field k = 1 + x*y
pde strong on s {
  unknown u : scalar P2
  -div(k*grad(u)) == 1 + x
  on left: u == y
  on right: u == 0
  on others: dot(k*grad(u), n) == 2*x
}
pde weak_form on s {
  unknown u : scalar P2
  weak v: integral(dot(k*grad(u), grad(v))) == integral((1 + x)*v) + integral(2*x*v, on: top) + integral(2*x*v, on: bottom)
  on left: u == y
  on right: u == 0
}
m = mesh(s, cells: [8, 8])
a = solve(strong, m)
b = solve(weak_form, m)
print(f"{flux(a.u, left):.6g} {flux(a.u, right):.6g} {flux(a.u, all):.6g}")
print(f"{flux(b.u, left):.6g} {flux(b.u, right):.6g}")
