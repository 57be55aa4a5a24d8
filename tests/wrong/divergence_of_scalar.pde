# The divergence of a scalar.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde p on plate {
  unknown u : scalar P1
  -div(grad(u)) == div(u)
  on all: u == 0
}
