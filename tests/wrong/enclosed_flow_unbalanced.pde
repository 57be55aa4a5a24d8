# More flows in than out: an incompressible fluid cannot.
geometry square = rectangle(x: 0..1, y: 0..1)
pde stokes on square {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: -div(grad(u) - p*I) == 0
  equation p: div(u) == 0
  on left: u == (y*(1 - y), 0)
  on right: u == (0.5*y*(1 - y), 0)
  on others: u == 0
  mean(p) == 0
}
s = solve(stokes, mesh(square, cells: [8, 8]))
print(max(s.p))
