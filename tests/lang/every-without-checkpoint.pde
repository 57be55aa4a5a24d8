geometry rod = interval(0, 1)
pde heat on rod {
  unknown u : scalar P1
  dt(u) == lap(u)
  on all: u == 0
  initially: u == 0
}
m = mesh(rod, cells: [4])
s = solve(heat, m, time: 0..1, step: 0.1, every: 5)
#! error E0502 9:50-9:51
