# B2-P1: Poisson in the unit cube, 48^3 x 6 tetrahedra, P1.
geometry cube = box(x: 0..1, y: 0..1, z: 0..1)
field exact = sin(pi*x)*sin(pi*y)*sin(pi*z)
pde poisson on cube {
  unknown u : scalar P1
  -lap(u) == 3*pi^2*exact
  on all: u == 0
}
sol = solve(poisson, mesh(cube, cells: [48, 48, 48]))
print(f"L2 {norm(sol.u - exact):.5g} H1 {norm(sol.u - exact, H1):.5g} residual {sol.residual:.2g} iterations {sol.iterations} solver {sol.solver}")
