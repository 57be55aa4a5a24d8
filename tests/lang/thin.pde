# Physical points and curves of a file: values there, integrals along them, and what jumps on an inner boundary.
#! expect: 0.5 0.333333 1 1
#! expect: 3 1 3 2
#! expect: 3 3 3
#! expect: 0 2 7
#! expect: 2 1 3
m = import_mesh("../data/thin.msh")
u = project((u: x + y + z), m).u
print(f"{integral(u, on: axis):.6g} {integral(u^2, on: axis):.6g} {max(u, on: axis):.6g} {integral(1, on: axis):.6g}")
print(f"{integral(u, on: tip):.6g} {integral(1, on: tip):.6g} {mean(u, on: tip):.6g} {integral(dx(u) + 1, on: axis):.6g}")
print(f"{max(u, on: tip):.6g} {min(u, on: tip):.6g} {norm(u, on: tip):.6g}")
pde p on m {
  unknown v : scalar P2
  -lap(v) + 1e6*v == 2e6
  on axis: v == 0
  on tip: v == 7
  on others: dot(grad(v), n) == 0
}
v = solve(p, m).v
print(f"{max(abs(v), on: axis):.3g} {v(0.25, 0.75, 0.5):.1g} {mean(v, on: tip):.6g}")
field k { on west: 1; on east: 3 }
w = project((w: x), m).w
print(f"{integral(k*dx(w), on: middle):.6g} {integral(k*dx(w), on: middle, from: west):.6g} {integral(k*dx(w), on: middle, from: east):.6g}")
