# Looking into a solution: points, lines, parts of the boundary, derivatives.
#
# Shows: sol.u(x, y), along, integral and max on parts, gradients at points.
# Comes out: the harmonic function x^2 - y^2, which quadratic elements represent exactly, to round-off everywhere.

geometry square = rectangle(x: 0..1, y: 0..1)
pde harmonic on square {
  unknown u : scalar P2
  lap(u) == 0
  on all: u == x^2 - y^2
}

sol = solve(harmonic, mesh(square, cells: [7, 5]))
print(f"inside {sol.u(0.3, 0.4):.12f}, on an edge {sol.u(1, 0.5):.12f}, in a corner {sol.u(1, 1):.12f}")
slope = dx(sol.u)
print(f"du/dx at (0.3, 0.4): {slope(0.3, 0.4):.12f}")
print(f"integral on the right {integral(sol.u, on: right):.12f}, largest at the top {max(sol.u, on: top):.12f}")
print(f"flux out on the right {integral(dot(grad(sol.u), n), on: right):.12f}")
assert abs(sol.u(0.3, 0.4) + 0.07) < 1e-12 and abs(slope(0.3, 0.4) - 0.6) < 1e-10
assert abs(integral(sol.u, on: right) - 2/3) < 1e-12 and abs(max(sol.u, on: top)) < 1e-12
diagonal = along(sol.u, (0, 1), (1, 0), n: 51)
assert abs(max(diagonal) - 1) < 1e-12 and abs(min(diagonal) + 1) < 1e-12
plot(diagonal, "diagonal.png", title: "along the diagonal")
