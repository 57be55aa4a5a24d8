# One parenthesis is missing in the equation.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde poisson on plate {
  unknown u : scalar P1
  -div((1 + x^2*grad(u)) == 1
  on all: u == 0
}
sol = solve(poisson, mesh(plate, cells: [8, 8]))
