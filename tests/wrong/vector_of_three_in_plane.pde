# Three components in two dimensions.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde elastic on plate {
  unknown u : vector P2
  div(eps(u)) == (0, 0, -9.81)
  on left: u == 0
  on others: dot(eps(u), n) == 0
}
