# The charge of an electrode in time, as if a number had a rate.
geometry square = rectangle(x: 0..1, y: 0..1)
pde charging on square {
  unknown u : scalar P1
  unknown V : number
  dt(u) == lap(u)
  on left: u == V
  on others: dot(grad(u), n) == 0
  equation V: integral(dot(grad(u), n), on: left) == 1 - dt(V)
  initially: u == 0
}
s = solve(charging, mesh(square, cells: [4, 4]), time: 0..1, step: 0.1)
print(s.V)
