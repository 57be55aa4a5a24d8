# A heated body between insulated sides has no steady temperature; the mean cannot give it one.
geometry square = rectangle(x: 0..1, y: 0..1)
pde heat on square {
  unknown T : scalar P2
  -lap(T) == 1 + x
  on all: dot(grad(T), n) == 0
  mean(T) == 0
}
s = solve(heat, mesh(square, cells: [8, 8]))
print(max(s.T))
