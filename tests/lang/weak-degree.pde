# The quadrature degree of a weak term is the one that is asked for: exp(9*x) is no polynomial, so one point and many differ.
geometry line = interval(0, 1)
pde coarse on line {
  unknown u : scalar P1
  weak v: integral(dx(u)*dx(v)) == integral(exp(9*x)*v, degree: 1)
  on left: u == 0
}
pde fine on line {
  unknown u : scalar P1
  weak v: integral(dx(u)*dx(v)) == integral(exp(9*x)*v, degree: 15)
  on left: u == 0
}
m = mesh(line, cells: [4])
exact = exp(9)/9 - (exp(9) - 1)/81           # -u'' = exp(9*x), u(0) = 0, u'(1) = 0: P1 is exact at the nodes if the load is
assert abs(solve(fine, m).u(1)/exact - 1) < 1e-6
assert abs(solve(coarse, m).u(1)/exact - 1) > 0.05
