# The unknown is called T.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  -lap(T) == 1
  on all: T == 0
}
sol = solve(heat, mesh(plate, cells: [8, 8]))
plot(sol.u, "heat.png")
