# A vector where the unknown is a scalar.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  -lap(T) == (1, 0)
  on all: T == 0
}
