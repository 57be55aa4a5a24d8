# B2-P2: Poisson in the unit cube, 24^3 x 6 tetrahedra, P2.
geometry cube = box(x: 0..1, y: 0..1, z: 0..1)
field exact = sin(pi*x)*sin(pi*y)*sin(pi*z)
pde poisson on cube {
  unknown u : scalar P2
  -lap(u) == 3*pi^2*exact
  on all: u == 0
}
sol = solve(poisson, mesh(cube, cells: [24, 24, 24]))
print(f"L2 {norm(sol.u - exact):.5g} H1 {norm(sol.u - exact, H1):.5g} residual {sol.residual:.2g} iterations {sol.iterations} solver {sol.solver}")
