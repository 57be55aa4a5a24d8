# A coefficient that vanishes where Newton starts.
geometry square = rectangle(x: 0..1, y: 0..1)
pde porous on square {
  unknown u : scalar P1
  -div(u^2*grad(u)) == 1
  on all: u == 0
}
s = solve(porous, mesh(square, cells: [8, 8]))
print(max(s.u))
