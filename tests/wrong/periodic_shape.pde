geometry wedge {
  shape = polygon([(0, 0), (1, 0), (1, 2), (0, 1)])
  boundary left = side4
  boundary right = side2
}
pde p on wedge {
  unknown u : scalar
  -lap(u) == 1
  periodic left to right
  on side1, side3: u == 0
}
print(max(solve(p, mesh(wedge, h: 0.3)).u))
