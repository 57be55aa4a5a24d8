# Two unknowns, one equation.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde coupled on plate {
  unknown u, w : scalar P1
  -lap(u) == w
  on all: u == 0
}
