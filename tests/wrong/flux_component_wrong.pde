# dx(T) is no flux through the side.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  -lap(T) == 1
  on left: T == 0
  on others: dx(T) == 2
}
