# A time derivative, but no initial value.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  dt(T) == lap(T)
  on all: T == 0
}
sol = solve(heat, mesh(plate, cells: [8, 8]), time: 0..1, step: 0.1)
