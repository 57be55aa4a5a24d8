# Poisson's equation on the unit square, with a known solution.
#
# Shows: a geometry, a pde in strong form, a structured mesh, norms of the error, a picture.
# Comes out: the error of quadratic elements on a 32 x 32 grid, 8.6e-06 in L2 and 2.1e-03 in H1; poisson.png.

geometry square = rectangle(x: 0..1, y: 0..1)
field exact = sin(pi*x)*sin(pi*y)

pde poisson on square {
  unknown u : scalar P2
  -lap(u) == 2*pi^2*exact
  on all: u == 0
}

sol = solve(poisson, mesh(square, cells: [32, 32]))
print(f"L2 {norm(sol.u - exact):.3e}, H1 {norm(sol.u - exact, H1):.3e}")
print(f"u(1/2, 1/2) = {sol.u(0.5, 0.5):.6f}, exact 1")
assert norm(sol.u - exact) < 1e-5 and norm(sol.u - exact, H1) < 3e-3
plot(sol.u, "poisson.png", contours: 8)
