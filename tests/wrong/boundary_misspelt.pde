# A side of the square is misspelt.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  -lap(T) == 1
  on lef: T == 0
  on others: dot(grad(T), n) == 0
}
sol = solve(heat, mesh(plate, cells: [8, 8]))
print(max(sol.T))
