geometry rod = interval(0, 1)
pde heat on rod {
  unknown u : scalar P1
  dt(u) == lap(u)
  on all: u == 0
  initially: u == 0
}
m = mesh(rod, cells: [4])
s = solve(heat, m, time: 0..1, step: auto, step_min: 0.2, step_max: 0.1)
#! error E0506 9:54-9:57
