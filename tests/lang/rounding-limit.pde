# More digits asked for than a double has: what was reached is said.
#! error W2006
#! status 0
#! expect: true
geometry g = rectangle(x: 0..1, y: 0..1)
pde p on g {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u == 0
}
s = solve(p, mesh(g, cells: [32, 32]), solver: "cg+icc", rtol: 1e-17)
print(s.residual > 1e-17 and s.residual < 1e-13)
