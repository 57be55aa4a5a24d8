# A time scheme by another name.
geometry rod = interval(0, 1)
pde heat on rod {
  unknown T : scalar P1
  dt(T) == lap(T)
  on all: T == 0
  initially: T == sin(pi*x)
}
sol = solve(heat, mesh(rod, cells: [16]), time: 0..1, step: 0.1, scheme: backward_eulr)
