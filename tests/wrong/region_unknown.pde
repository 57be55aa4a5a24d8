# The coefficient names a region that the geometry lacks.
geometry wall {
  shape = rectangle(x: 0..1, y: 0..1)
  region brick = where x < 0.5
}
field k { on bricks: 0.8; on others: 0.04 }
pde heat on wall {
  unknown T : scalar P1
  -div(k*grad(T)) == 1
  on all: T == 0
}
