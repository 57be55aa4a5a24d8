# A function by another language's name.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde poisson on plate {
  unknown u : scalar P1
  -laplacian(u) == 1
  on all: u == 0
}
