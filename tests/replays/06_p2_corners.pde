# Sides without their corners: the midpoint of the last facet stayed free. Sides are named here, they hold all their nodes, the
# later clause wins a shared corner.
geometry square = rectangle(x: 0..1, y: 0..1)
pde p on square {
  unknown u : scalar P2
  -lap(u) == 0
  on top, bottom: u == 0
  on left: u == y*(1 - y)
  on right: dot(grad(u), n) == 0
}
pde rough on square {
  unknown u : scalar P2
  -lap(u) == 0
  on left: u == 1
  on top, bottom: u == 0
  on right: dot(grad(u), n) == 0
}
s = solve(p, mesh(square, cells: [4, 4]))
assert boundary_error(s) == 0
for k in 0..32 {
  assert abs(s.u(k/32, 0)) + abs(s.u(k/32, 1)) < 1e-15, f"{k}"
  a = s.u(0, k/32)
  assert abs(a - k/32*(1 - k/32)) < 1e-15, f"{a}"
}
print("ok every node of a side is held")
s = solve(rough, mesh(square, cells: [4, 4]))
assert s.u(0, 0) == 0 and s.u(0, 1) == 0 and s.u(0, 0.125) == 1 and s.u(0, 0.5) == 1
print("ok the later clause wins the corner, no other node")
