# One problem, many parameters: the Thiele modulus of a catalyst pellet.
#
# Shows: parameters of a pde, sweep with measures, a table exported as CSV.
# Comes out: the effectiveness tanh(phi)/phi for phi = 0.5, 1, 2, 4 to 1e-5.

geometry pellet = interval(0, 1)
pde catalyst(phi = 1.0) on pellet {
  unknown c : scalar P2
  lap(c) == phi^2*c
  on left: dot(grad(c), n) == 0
  on right: c == 1
}

m = mesh(pellet, cells: [100])
study s = sweep(catalyst, m, phi: [0.5, 1, 2, 4], measure: (effectiveness: integral(c), centre: min(c)))
print(s)
export(s, "thiele.csv")
for phi_i in [0.5, 1, 2, 4] {
  sol = solve(catalyst, m, phi: phi_i)
  assert abs(integral(sol.c) - tanh(phi_i)/phi_i) < 1e-6
}
plot(s, "thiele.png")
