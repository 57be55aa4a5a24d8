# The same wave through time needs both; a pde that nothing solves is looked at too.
geometry string = interval(0, 1)
pde wave on string {
  unknown u : scalar P2
  dtt(u) == lap(u)
  on all: u == 0
}
m = mesh(string, cells: [8])
modes = eigensolve(wave, m, count: 2)
s = solve(wave, m, time: 0..1, step: 0.1)
#! error E0420 4:11-4:12
#! error E0421 4:11-4:12
