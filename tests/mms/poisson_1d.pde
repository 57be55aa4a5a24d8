# 1D: Poisson, reaction, advection-diffusion with Robin data, nonlinear diffusion; uneven cells, refined three times.
import "orders"
geometry line = interval(0, 1.3)
geometry pieces = polyline([0, 0.21, 0.34, 0.8, 1.3])
field w = sin(3*x) + exp(-x)
fn poisson_data() = -lap(w)

pde poisson1 on line { unknown u : scalar P1; -lap(u) == -lap(w); on all: u == w }
pde poisson2 on line { unknown u : scalar P2; -lap(u) == -lap(w); on all: u == w }
pde transport1(k = 0.5 + x^2, b = 2*cos(x), c = 1 + x, a = 1.5) on line {
  unknown u : scalar P1
  -div(k*grad(u)) + b*dx(u) + c*u == -div(k*grad(w)) + b*dx(w) + c*w
  on left: u == w
  on right: dot(k*grad(u), n) == dot(k*grad(w), n) + a*(w - u)
}
pde transport2(k = 0.5 + x^2, b = 2*cos(x), c = 1 + x, a = 1.5) on line {
  unknown u : scalar P2
  -div(k*grad(u)) + b*dx(u) + c*u == -div(k*grad(w)) + b*dx(w) + c*w
  on left: u == w
  on right: dot(k*grad(u), n) == dot(k*grad(w), n) + a*(w - u)
}
pde nonlinear1 on line {
  unknown u : scalar P1
  field k(s) = 1 + s^2
  -div(k(u)*grad(u)) + u^3 == -div(k(w)*grad(w)) + w^3
  on left: u == w
  on right: dot(k(u)*grad(u), n) == dot(k(w)*grad(w), n)
}
pde nonlinear2 on line {
  unknown u : scalar P2
  field k(s) = 1 + s^2
  -div(k(u)*grad(u)) + u^3 == -div(k(w)*grad(w)) + w^3
  on left: u == w
  on right: dot(k(u)*grad(u), n) == dot(k(w)*grad(w), n)
}

m = mesh(line, h: 0.17)
expect(refine(poisson1, exact: (u: w), mesh: m, levels: 4), 2, 1, "Poisson, P1")
expect(refine(poisson2, exact: (u: w), mesh: m, levels: 4), 3, 2, "Poisson, P2")
expect(refine(transport1, exact: (u: w), mesh: m, levels: 4), 2, 1, "advection-diffusion, P1")
expect(refine(transport2, exact: (u: w), mesh: m, levels: 4), 3, 2, "advection-diffusion, P2")
expect(refine(nonlinear1, exact: (u: w), mesh: m, levels: 4), 2, 1, "nonlinear, P1")
expect(refine(nonlinear2, exact: (u: w), mesh: m, levels: 4), 3, 2, "nonlinear, P2")
expect(refine(transport2, exact: (u: w), cells: [8, 16, 32]), 3, 2, "advection-diffusion on a grid, P2")
