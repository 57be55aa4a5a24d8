# One value of a sweep for which nothing solves the equation.
geometry rod = interval(0, 1)
pde bratu(a = 1.0) on rod {
  unknown u : scalar P1
  -lap(u) == a*exp(u)
  on all: u == 0
}
study s = sweep(bratu, mesh(rod, cells: [8]), a: [1, 2, 10], measure: (top: max(u, on: rod)))
print(s)
