# Who needs initial values: a run through time. Eigenvalues and runs that continue another one do not.
geometry string = interval(0, 1)
pde wave on string {
  unknown u : scalar P2
  dtt(u) == lap(u)
  on all: u == 0
}
m = mesh(string, cells: [32])
modes = eigensolve(wave, m, count: 2)
print(f"{sqrt(modes.values[0])/pi:.3f} {sqrt(modes.values[1])/pi:.3f}")
pde first on string {
  unknown u : scalar P1
  dt(u) == 0.1*lap(u)
  on all: u == 0
  initially: u == sin(pi*x)
}
pde second on string {
  unknown u : scalar P1
  dt(u) == 0.2*lap(u)
  on all: u == 0
}
a = solve(first, m, time: 0..1, step: 0.1)
b = solve(second, m, time: 1..1.5, step: 0.1, from: a)
print(max(b.u) < max(a.u))
#! expect: 1.000 2.000
#! expect: true
