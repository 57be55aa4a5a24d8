geometry rod = interval(0, 1)
pde heat on rod {
  unknown u : scalar P1
  dt(u) == lap(u)
  on all: u == 0
  initially: u == 0
}
m = mesh(rod, cells: [4])
s = solve(heat, m, time: 0..1, step: 0.1, outputs: [0.5, 3, 0.7])
#! error E0506 9:58-9:59
