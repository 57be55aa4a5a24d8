# A boundary integral over a side that is not there.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde poisson on plate {
  unknown u : scalar P1
  weak v: integral(dot(grad(u), grad(v)) + u*v) == integral(v, on: inlet)
}
