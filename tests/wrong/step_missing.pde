# A transient problem without a time span.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  dt(T) == lap(T)
  on all: T == 0
  initially: T == x
}
sol = solve(heat, mesh(plate, cells: [8, 8]))
