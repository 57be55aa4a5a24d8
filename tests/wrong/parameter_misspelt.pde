# The parameter is called kappa.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde poisson(kappa = 1) on plate {
  unknown u : scalar P1
  -kappa*lap(u) == 1
  on all: u == 0
}
sol = solve(poisson(kapa: 2), mesh(plate, cells: [8, 8]))
