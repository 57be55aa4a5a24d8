# No point of the boundary has y = 2.
geometry g {
  shape = rectangle(x: 0..1, y: 0..1)
  boundary lid = where y == 2
}
pde heat on g {
  unknown T : scalar P1
  -lap(T) == 1
  on lid: T == 0
  on others: dot(grad(T), n) == 0
}
sol = solve(heat, mesh(g, cells: [8, 8]))
