# Nothing is said on the boundary.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  -lap(T) == 1
}
sol = solve(heat, mesh(plate, cells: [8, 8]))
