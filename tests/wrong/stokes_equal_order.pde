# Velocity and pressure in elements of equal degree.
geometry square = rectangle(x: 0..1, y: 0..1)
pde stokes on square {
  unknown u : vector P1
  unknown p : scalar P1
  equation u: -div(grad(u)) + grad(p) == 0
  equation p: div(u) == 0
  on left, right, bottom: u == 0
  on top: u == (4*x*(1 - x), 0)
  mean(p) == 0
}
s = solve(stokes, mesh(square, cells: [8, 8]))
print(max(s.p))
