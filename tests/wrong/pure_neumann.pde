# Fluxes all around: T + constant solves it as well.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  -lap(T) == 0
  on left: dot(grad(T), n) == 1
  on right: dot(grad(T), n) == -1
  on others: dot(grad(T), n) == 0
}
sol = solve(heat, mesh(plate, cells: [8, 8]))
