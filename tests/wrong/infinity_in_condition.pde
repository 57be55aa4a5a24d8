# The value on the left side is infinite at the corner.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  -lap(T) == 1
  on left: T == 1/y
  on others: dot(grad(T), n) == 0
}
sol = solve(heat, mesh(plate, cells: [8, 8]))
print(max(sol.T))
