# The start-up of the whole process: Poisson on 8 x 8 x 2 triangles.
geometry square = rectangle(x: 0..1, y: 0..1)
pde poisson on square {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u == 0
}
sol = solve(poisson, mesh(square, cells: [8, 8]))
print(max(sol.u))
