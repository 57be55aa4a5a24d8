# Conductivity that grows with temperature: Newton, and an exact solution by Kirchhoff's transformation.
#
# Shows: a field that depends on an unknown, the derivative of which the compiler finds.
# Comes out: k = 1 + T, so T = sqrt(1 + 3x) - 1 and the flux is 1.5 everywhere; error 1e-6.

geometry rod = interval(0, 1)
field k(T) = 1 + T
pde conduct on rod {
  unknown T : scalar P2
  div(k(T)*grad(T)) == 0
  on left: T == 0
  on right: T == 1
}

sol = solve(conduct, mesh(rod, cells: [32]))
error = norm(sol.T - (sqrt(1 + 3*x) - 1))
print(f"error {error:.2e}, flux {flux(sol, right):.8f}")
assert error < 2e-6 and abs(flux(sol, right) - 1.5) < 1e-5
check sol against balance(sol), maximum_principle(sol)
