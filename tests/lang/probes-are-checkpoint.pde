geometry rod = interval(0, 1)
pde heat on rod {
  unknown u : scalar P1
  dt(u) == lap(u)
  on all: u == 0
  initially: u == sin(pi*x)
}
m = mesh(rod, cells: [4])
s = solve(heat, m, time: 0..1, step: 0.1, record: (a: max(u)), probes: "run", checkpoint: "run")
#! error E0506
#! status 1
