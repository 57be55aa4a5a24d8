# Data in time, but no dt in the equation.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  -lap(T) == 0
  on left: T == 300 + 10*sin(2*pi*t)
  on others: T == 300
}
