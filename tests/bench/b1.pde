# B1: Poisson on the unit square, 512 x 512 x 2 triangles, P1.
geometry square = rectangle(x: 0..1, y: 0..1)
field exact = sin(pi*x)*sin(pi*y)
pde poisson on square {
  unknown u : scalar P1
  -lap(u) == 2*pi^2*exact
  on all: u == 0
}
sol = solve(poisson, mesh(square, cells: [512, 512]))
print(f"L2 {norm(sol.u - exact):.5g} H1 {norm(sol.u - exact, H1):.5g} residual {sol.residual:.2g} iterations {sol.iterations} solver {sol.solver}")
