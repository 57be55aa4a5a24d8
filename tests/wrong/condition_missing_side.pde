# One side was forgotten: zero flux, said in a warning; the run goes on.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  -lap(T) == 1
  on left, right, bottom: T == 0
}
