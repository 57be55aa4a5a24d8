# Automatic steps keep to their bounds; the first one is done in two halves.
geometry rod = interval(0, 1)
pde heat on rod {
  unknown u : scalar P1
  dt(u) == lap(u)
  on all: u == 0
  initially: u == sin(pi*x)
}
m = mesh(rod, cells: [4])
s = solve(heat, m, time: 0..1, step: auto, step_min: 0.01, step_max: 0.05, tol: 0.1)
print(s.smallest_step >= 0.005*(1 - 1e-9), s.largest_step <= 0.05*(1 + 1e-9), s.rejected)
t = solve(heat, m, time: 0..1, step: auto, step_max: 1e-3, tol: 0.1, keep: last)
print(t.largest_step <= 1e-3*(1 + 1e-9))
#! expect: true true 0
#! expect: true
