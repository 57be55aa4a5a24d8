# inner of a gradient and a scalar, in a weak form.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde poisson on plate {
  unknown u : scalar P1
  weak v: integral(inner(grad(u), v)) == integral(v)
  on all: u == 0
}
