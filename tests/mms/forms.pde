# One problem written in several ways gives one solution, to 1e-10.
geometry square = rectangle(x: 0..1, y: 0..1)
field K = [[2 + x, 0.5], [0.5, 1 + y]]
field b = (1, x)
fn stress(u) = 1.5*tr(eps(u))*I + 2*eps(u)
fn same(a, b, what) {
  v = norm(a - b)/norm(a)
  assert v < 1e-10, f"{what}: {v:.2e} apart"
  print(f"ok {what}")
}
pde strong on square {
  unknown u : scalar P2
  -div(dot(K, grad(u))) + dot(b, grad(u)) + 3*u == exp(x)
  on left: u == y
  on right: dot(dot(K, grad(u)), n) == 2*(1 - u)
  on others: dot(dot(K, grad(u)), n) == x
}
pde turned on square {
  unknown u : scalar P2
  exp(x) - 3*u == dot(b, grad(u)) - div(dot(K, grad(u)))
  on left: y == u
  on right: 2*dot(dot(K, grad(u)), n) == 4*(1 - u)
  on others: x == dot(dot(K, grad(u)), n)
}
pde weakly on square {
  unknown u : scalar P2
  weak v: integral(dot(dot(K, grad(u)), grad(v)) + dot(b, grad(u))*v + 3*u*v) + integral(2*u*v, on: right) ==
      integral(exp(x)*v) + integral(2*v, on: right) + integral(x*v, on: top) + integral(x*v, on: bottom)
  on left: u == y
}
pde by_components on square {
  unknown u : scalar P2
  -dx((2 + x)*dx(u) + 0.5*dy(u)) - dy(0.5*dx(u) + (1 + y)*dy(u)) + dx(u) + x*dy(u) + 3*u == exp(x)
  on left: u == y
  on right: dot((((2 + x)*dx(u) + 0.5*dy(u)), 0.5*dx(u) + (1 + y)*dy(u)), n) == 2*(1 - u)
  on others: dot((((2 + x)*dx(u) + 0.5*dy(u)), 0.5*dx(u) + (1 + y)*dy(u)), n) == x
}
m = mesh(square, h: 0.15)
u = solve(strong, m).u
same(u, solve(turned, m).u, "sides of the equations exchanged")
same(u, solve(weakly, m).u, "weak form")
same(u, solve(by_components, m).u, "written by components")

pde elastic on square {
  unknown u : vector P2
  -div(stress(u)) == (0, -1)
  on left: u == 0
  on right: dot(stress(u), n) == (1, 0)
  on others: dot(stress(u), n) == 0
}
pde elastic_weak on square {
  unknown u : vector P2
  weak v: integral(inner(stress(u), eps(v))) == integral(-v.y) + integral(v.x, on: right)
  on left: u == 0
}
## Two scalar unknowns in place of a vector.
pde elastic_split on square {
  unknown a : scalar P2
  unknown b : scalar P2
  equation a: -dx(3.5*dx(a) + 1.5*dy(b)) - dy(dy(a) + dx(b)) == 0
  equation b: -dx(dy(a) + dx(b)) - dy(1.5*dx(a) + 3.5*dy(b)) == -1
  on left { a == 0; b == 0 }
  on right { dot((3.5*dx(a) + 1.5*dy(b), dy(a) + dx(b)), n) == 1; dot((dy(a) + dx(b), 1.5*dx(a) + 3.5*dy(b)), n) == 0 }
  on others { dot((3.5*dx(a) + 1.5*dy(b), dy(a) + dx(b)), n) == 0; dot((dy(a) + dx(b), 1.5*dx(a) + 3.5*dy(b)), n) == 0 }
}
e = solve(elastic, m).u
same(e, solve(elastic_weak, m).u, "elasticity by its weak form")
p = solve(elastic_split, m)
same(e.x, p.a, "a vector by two scalars, x")
same(e.y, p.b, "a vector by two scalars, y")

pde stokes on square {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: -div(grad(u) - p*I) == (y, 0)
  equation p: div(u) == 0
  on all: u == 0
  mean(p) == 0
}
pde stokes_weak on square {
  unknown u : vector P2
  unknown p : scalar P1
  weak v, q: integral(inner(grad(u), grad(v)) - p*div(v) - q*div(u)) == integral(dot((y, 0), v))
  on all: u == 0
  mean(p) == 0
}
s = solve(stokes, m)
t = solve(stokes_weak, m)
same(s.u, t.u, "Stokes by its weak form, velocity")
same(s.p, t.p, "Stokes by its weak form, pressure")

## A parameter or a number, a field or its formula, a nonlinear way to write a linear problem.
pde with_param(k = 1.0) on square { unknown u : scalar P1; -div(k*grad(u)) == 1; on all: u == 0 }
pde written on square { unknown u : scalar P1; -lap(u) == 0.4; on all: u == 0 }
pde squared on square { unknown u : scalar P1; -div((u^2 - (u - 1)*(u + 1))*grad(u)) == 0.4; on all: u == 0 }
same(solve(with_param, m, k: 2.5).u, solve(written, m).u, "a parameter set")
same(solve(with_param, m, k: 2.5 + 0*x).u, solve(written, m).u, "a parameter set to a field")
same(solve(squared, m).u, solve(written, m).u, "a linear problem in nonlinear words")
