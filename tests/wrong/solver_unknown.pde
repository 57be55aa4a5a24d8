# A solver that there is not.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde poisson on plate {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u == 0
}
sol = solve(poisson, mesh(plate, cells: [8, 8]), solver: "pardiso")
