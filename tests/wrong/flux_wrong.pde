# The flux of this equation is k*grad(T).
geometry plate = rectangle(x: 0..1, y: 0..1)
field k = 1 + x
pde heat on plate {
  unknown T : scalar P1
  -div(k*grad(T)) == 1
  on left: T == 0
  on right: dot(grad(T), n) == 2
  on others: dot(k*grad(T), n) == 0
}
