# A value prescribed on facets that have a flux under another name: the value wins, and it is said.
#! error W2005
#! status 0
#! expect: 0
geometry g { o = rectangle(x:0..1,y:0..1); shape = o; boundary hot = where y == 0 and x < 0.5 }
pde p on g {
  unknown u : scalar P1
  -lap(u) == 0
  on hot: dot(grad(u), n) == 1
  on bottom: u == 0
  on top, left, right: dot(grad(u), n) == 0
}
s = solve(p, mesh(g, cells: [4, 4]))
print(max(s.u))
