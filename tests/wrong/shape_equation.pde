# The gradient of a scalar is no scalar.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde wrong on plate {
  unknown u : scalar P1
  grad(u) == 1
  on all: u == 0
}
