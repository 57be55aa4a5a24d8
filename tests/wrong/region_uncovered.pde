# Cells outside of `brick` have no conductivity.
geometry wall {
  shape = rectangle(x: 0..1, y: 0..1)
  region brick = where x < 0.5
}
field k { on brick: 0.8 }
pde heat on wall {
  unknown T : scalar P1
  -div(k*grad(T)) == 1
  on all: T == 0
}
sol = solve(heat, mesh(wall, cells: [8, 8]))
print(max(sol.T))
