# Values on shared facets that agree at first and part later.
#! error E0413
#! status 1
geometry g { o = rectangle(x:0..1,y:0..1); shape = o; boundary hot = where y == 0 and x < 0.5 }
pde p on g {
  unknown u : scalar P1
  dt(u) - lap(u) == 0
  on top: u == 0
  on hot: u == max(t - 0.25, 0)
  on bottom: u == 0
  on left, right: dot(grad(u),n) == 0
  initially: u == 0
}
s = solve(p, mesh(g, cells: [4, 4]), time: 0..0.5, step: 0.1)
print(integral(s.u))
