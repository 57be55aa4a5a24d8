# Beyond 3.51 the Bratu problem has no solution.
geometry rod = interval(0, 1)
pde bratu on rod {
  unknown u : scalar P2
  -lap(u) == 4*exp(u)
  on all: u == 0
}
sol = solve(bratu, mesh(rod, cells: [32]))
print(max(sol.u))
