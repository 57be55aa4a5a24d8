# The mesh of another geometry.
geometry plate = rectangle(x: 0..1, y: 0..1)
geometry rod = interval(0, 1)
pde poisson on plate {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u == 0
}
sol = solve(poisson, mesh(rod, cells: [8]))
