# Values that meet at a corner and part later.
#! error W2000
#! status 0
#! expect: 101
geometry g = rectangle(x:0..1,y:0..1)
pde p on g {
  unknown u : scalar P1
  dt(u) - lap(u) == 0
  on left: u == max(t - 0.25, 0)
  on bottom: u == 0
  on others: dot(grad(u),n) == 0
  initially: u == 0
}
s = solve(p, mesh(g, cells: [4, 4]), time: 0..1, step: 0.01)
print(len(s.times))
