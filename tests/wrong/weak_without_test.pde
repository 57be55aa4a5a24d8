# A term of the weak form lost its test function.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde poisson on plate {
  unknown u : scalar P1
  weak v: integral(dot(grad(u), grad(v)) + u) == integral(v)
  on all: u == 0
}
