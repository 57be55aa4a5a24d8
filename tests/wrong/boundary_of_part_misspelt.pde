# The part is right, its side is not.
geometry channel {
  outer = rectangle(x: 0..2, y: 0..1)
  hole = disk(center: (0.5, 0.5), radius: 0.1)
  shape = outer - hole
}
pde heat on channel {
  unknown T : scalar P1
  -lap(T) == 1
  on outer.inlet: T == 0
  on others: dot(grad(T), n) == 0
}
