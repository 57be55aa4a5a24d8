# The heat equation with a lost minus runs backwards.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  dt(T) + lap(T) == 0
  on all: T == 0
  initially: T == x*(1 - x)
}
