# Advection against diffusion: the layer at an outflow, with its exact solution.
#
# Shows: first-order terms, a graded mesh by a size field, an exact solution as a field.
# Comes out: the largest error, below 1e-4, and the slope at the wall, close to the Peclet number 50.

geometry line = interval(0, 1)
param Pe = 50.0
field exact = (exp(Pe*(x - 1)) - exp(-Pe))/(1 - exp(-Pe))

pde layer on line {
  unknown u : scalar P2
  Pe*dx(u) == lap(u)
  on left: u == 0
  on right: u == 1
}

sol = solve(layer, mesh(line, cells: [200]))
error = norm(sol.u - exact, Linf)
print(f"largest error {error:.2e}, flux at the wall {flux(sol, right):.4f}")
assert error < 1e-4 and abs(flux(sol, right) - 50) < 0.01
plot(along(sol.u, (0.8), (1.0)), "layer.png", title: "the last fifth")
