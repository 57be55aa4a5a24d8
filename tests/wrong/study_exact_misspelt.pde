# The exact solution is for an unknown that there is not.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde poisson on plate {
  unknown u : scalar P1
  -lap(u) == 2*pi^2*sin(pi*x)*sin(pi*y)
  on all: u == 0
}
study s = refine(poisson, exact: (w: sin(pi*x)*sin(pi*y)), cells: [8, 16])
print(s)
