# A value that is an integral of the unknown: it is no number that is known beforehand.
geometry square = rectangle(x: 0..1, y: 0..1)
pde whole on square {
  unknown u : scalar P1
  -lap(u) == 1
  on left: u == mean(u)
  on right: u == 0
  on others: dot(grad(u), n) == 0
}
s = solve(whole, mesh(square, cells: [4, 4]))
print(max(s.u))
