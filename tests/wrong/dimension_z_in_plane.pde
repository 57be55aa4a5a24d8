# z on a plane domain.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  -lap(T) == 1 + z
  on all: T == 0
}
