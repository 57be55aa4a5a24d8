# B5: heat on the unit square, 256 x 256 x 2 triangles, P1, 32 Crank-Nicolson steps.
geometry square = rectangle(x: 0..1, y: 0..1)
field exact = 0.2*(sin(x) + cos(y))*exp(-t)
pde heat on square {
  unknown u : scalar P1
  dt(u) == lap(u)
  on all: u == exact
  initially: u == exact
}
sol = solve(heat, mesh(square, cells: [256, 256]), time: 0..0.4, step: 0.0125, scheme: crank_nicolson, keep: last)
print(f"L2 {norm(sol.u - exact):.5g} H1 {norm(sol.u - exact, H1):.5g} residual {sol.residual:.2g} iterations {sol.iterations} solver {sol.solver}")
