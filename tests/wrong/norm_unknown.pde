# A norm that there is not.
geometry rod = interval(0, 1)
pde p on rod {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u == 0
}
s = solve(p, mesh(rod, cells: [16]))
print(norm(s.u, L1))
