# dolfinx #3332: a rectangle, an elliptic inclusion and a source box that overlaps both, each with its own groups, two names for
# one side; the process died on reading. Here in four flavours of the format.
for (m, file) in [(import_mesh("../data/overlap_22.msh"), "2.2"), (import_mesh("../data/overlap_22b.msh"), "2.2 binary"),
                  (import_mesh("../data/overlap_41.msh"), "4.1"), (import_mesh("../data/overlap_41b.msh"), "4.1 binary")] {
  one = project((u: 1), m)
  for (a, b, what) in [(integral(one.u, on: plate), 2, "plate"), (integral(one.u, on: source), 0.2, "source"), (integral(one.u, on: left), 1, "left"), (integral(one.u, on: inflow), 1, "inflow")] {
    assert abs(a - b) < 1e-12, f"{file}, {what}: {a}"
  }
  print(f"ok {file}")
}
m = import_mesh("../data/overlap_41.msh")
pde p on m {
  unknown u : scalar P1
  field k { on inclusion: 10; on others: 1 }
  field q { on source: 3; on others: 0 }
  -div(k*grad(u)) == q
  on inflow: u == 1
  on others: dot(k*grad(u), n) == 0
}
s = solve(p, m)
assert abs(flux(s, left) + 0.6) < 1e-11, f"{flux(s, left)}"
print("ok what the source gives leaves through the side with two names")
