# A reaction that is zero in the whole domain: that nothing fixes the constant only the numbers show.
geometry plate = rectangle(x: 0..1, y: 0..1)
field c = max(x - 2, 0)
pde heat on plate {
  unknown u : scalar P1
  -lap(u) + c*u == 1
  on all: dot(grad(u), n) == 0
}
sol = solve(heat, mesh(plate, cells: [8, 8]))
print(max(sol.u))
