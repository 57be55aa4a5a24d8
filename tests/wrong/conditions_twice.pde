# Two temperatures for one side.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  -lap(T) == 0
  on left: T == 300
  on left, right: T == 400
  on others: dot(grad(T), n) == 0
}
