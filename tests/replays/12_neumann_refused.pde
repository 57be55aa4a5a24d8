# status 1 E0430: the same without a mean: the constant is not fixed, and that is said.
geometry square = rectangle(x: 0..1, y: 0..1)
pde p on square {
  unknown u : scalar P1
  -lap(u) == 0
  on left: dot(grad(u), n) == -1
  on right: dot(grad(u), n) == 1
  on top, bottom: dot(grad(u), n) == 0
}
s = solve(p, mesh(square, h: 0.1))
