# A number that nothing determines.
geometry square = rectangle(x: 0..1, y: 0..1)
pde electrode on square {
  unknown u : scalar P1
  unknown V : number
  -lap(u) == 0
  on left: u == V
  on right: u == 0
  on others: dot(grad(u), n) == 0
}
s = solve(electrode, mesh(square, cells: [4, 4]))
print(s.V)
