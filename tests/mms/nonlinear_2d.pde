# Nonlinear diffusion k(u), of a gradient, a nonlinear Robin condition; Newton from what is prescribed on the boundary.
import "orders"
geometry plate = polygon([(0, 0), (1.2, 0.1), (1.4, 0.8), (0.6, 1.1), (0.1, 0.7)])
field w = 0.5 + 0.4*sin(2*x)*cos(y)
field k(s) = 1 + s^2

pde p1 on plate {
  unknown u : scalar P1
  -div(k(u)*grad(u)) + u*dx(u) == -div(k(w)*grad(w)) + w*dx(w)
  on side1: dot(k(u)*grad(u), n) == dot(k(w)*grad(w), n) + w^4 - u^4
  on others: u == w
}
pde p2 on plate {
  unknown u : scalar P2
  -div(k(u)*grad(u)) + u*dx(u) == -div(k(w)*grad(w)) + w*dx(w)
  on side1: dot(k(u)*grad(u), n) == dot(k(w)*grad(w), n) + w^4 - u^4
  on others: u == w
}
## The coefficient depends on the gradient.
pde gradients on plate {
  unknown u : scalar P2
  -div((1 + inner(grad(u), grad(u)))*grad(u)) == -div((1 + inner(grad(w), grad(w)))*grad(w))
  on side3: dot((1 + inner(grad(u), grad(u)))*grad(u), n) == dot((1 + inner(grad(w), grad(w)))*grad(w), n)
  on others: u == w
}
## The minimal surface operator: its flux is bounded, so Newton's iteration needs a start without a jump at the boundary.
pde surface on plate {
  unknown u : scalar P2
  -div(grad(u)/sqrt(1 + inner(grad(u), grad(u)))) == -div(grad(w)/sqrt(1 + inner(grad(w), grad(w))))
  on all: u == w
}
m = mesh(plate, h: 0.3)
expect(refine(p1, exact: (u: w), mesh: m, levels: 4), 2, 1, "k(u), P1")
expect(refine(p2, exact: (u: w), mesh: m, levels: 4), 3, 2, "k(u), P2")
expect(refine(gradients, exact: (u: w), mesh: m, levels: 4), 3, 2, "k(grad(u)), P2")
expect(refine(surface, exact: (u: w), mesh: m, levels: 4), 3, 2, "minimal surface, P2")
