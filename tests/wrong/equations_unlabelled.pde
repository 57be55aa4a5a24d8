# Two unknowns whose equations are not labelled.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde coupled on plate {
  unknown u, w : scalar P1
  -lap(u) == w
  -lap(w) == 1
  on all: u == 0
  on all: w == 0
}
