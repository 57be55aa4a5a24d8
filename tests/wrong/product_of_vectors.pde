# u*grad(u) has two vectors and no dot.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde burgers on plate {
  unknown u : vector P2
  u*grad(u) == lap(u)
  on all: u == (1, 0)
}
