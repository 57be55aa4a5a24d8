# B3: elastic cantilever, 32 x 16 x 16 x 6 tetrahedra, P1: deflection of the tip and strain energy.
geometry bar = box(x: 0..2, y: 0..0.4, z: 0..0.4)
E0 = 1000; nu = 0.3
mu = E0/(2*(1 + nu)); la = E0*nu/((1 + nu)*(1 - 2*nu))
pde cantilever on bar {
  unknown u : vector P1
  field sigma = la*tr(eps(u))*I + 2*mu*eps(u)
  div(sigma) == 0
  on x_min: u == 0
  on x_max: dot(sigma, n) == (0, 0, -0.01)
  on others: dot(sigma, n) == 0
}
sol = solve(cantilever, mesh(bar, cells: [32, 16, 16]))
energy = integral(la*tr(eps(sol.u))^2 + 2*mu*inner(eps(sol.u), eps(sol.u)))/2
print(f"tip {mean(sol.u.z, x_max):.5g} energy {energy:.5g} residual {sol.residual:.2g} iterations {sol.iterations} solver {sol.solver}")
