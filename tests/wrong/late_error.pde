# The last line is wrong: nothing may be solved before that is said.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde poisson on plate {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u == 0
}
print("solving")
sol = solve(poisson, mesh(plate, cells: [8, 8]))
export(sol, "late.vtu")
print(maxx(sol.u))
