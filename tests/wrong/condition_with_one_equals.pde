# `=` in a condition.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde poisson on plate {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u = 0
}
