# The source was defined, and forgotten in the equation.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  field source = 10*exp(-50*(x - 0.5)^2)
  -lap(T) == 0
  on left: T == 1
  on others: T == 0
}
