# Flux prescribed all around: the mean fixes what the flux leaves open.
#
# Shows: a constraint between integrals, with its multiplier; what happens without it is error E0421.
# Comes out: u = cos(pi x) to order 3, mean 0 to round-off.

geometry square = rectangle(x: 0..1, y: 0..1)
pde neumann on square {
  unknown u : scalar P2
  -lap(u) == pi^2*cos(pi*x)
  on all: dot(grad(u), n) == 0
  mean(u) == 0
}

sol = solve(neumann, mesh(square, cells: [16, 16]))
print(f"error {norm(sol.u - cos(pi*x)):.2e}")
assert norm(sol.u - cos(pi*x)) < 1e-3 and abs(mean(sol.u)) < 1e-12
study s = refine(neumann, exact: (u: cos(pi*x)), cells: [8, 16, 32])
check s against order(s, L2, expected: 3, within: 0.15), order(s, H1, expected: 2, within: 0.15)
