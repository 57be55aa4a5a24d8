# Poisson and reaction in 2D: an unstructured mesh of a polygon, refined three times; P1 and P2.
import "orders"
geometry plate = polygon([(0, 0), (1.2, 0.1), (1.4, 0.8), (0.6, 1.1), (0.1, 0.7)])
geometry square = rectangle(x: 0..1, y: 0..1)
field w = sin(2*x + y)*exp(0.5*y)

pde poisson1 on plate { unknown u : scalar P1; -lap(u) == -lap(w); on all: u == w }
pde poisson2 on plate { unknown u : scalar P2; -lap(u) == -lap(w); on all: u == w }
pde reaction1(k = 1 + x^2*y, c = 3) on plate {
  unknown u : scalar P1
  -div(k*grad(u)) + c*u == -div(k*grad(w)) + c*w
  on side1, side2: dot(k*grad(u), n) == dot(k*grad(w), n)
  on others: u == w
}
pde reaction2(k = 1 + x^2*y, c = 3) on plate {
  unknown u : scalar P2
  -div(k*grad(u)) + c*u == -div(k*grad(w)) + c*w
  on side1, side2: dot(k*grad(u), n) == dot(k*grad(w), n)
  on others: u == w
}
pde grid1 on square { unknown u : scalar P1; -lap(u) == -lap(w); on all: u == w }
pde grid2 on square { unknown u : scalar P2; -lap(u) == -lap(w); on all: u == w }

m = mesh(plate, h: 0.3)
print(m)
expect(refine(poisson1, exact: (u: w), mesh: m, levels: 4), 2, 1, "Poisson, P1")
expect(refine(poisson2, exact: (u: w), mesh: m, levels: 4), 3, 2, "Poisson, P2")
expect(refine(reaction1, exact: (u: w), mesh: m, levels: 4), 2, 1, "reaction, P1")
expect(refine(reaction2, exact: (u: w), mesh: m, levels: 4), 3, 2, "reaction, P2")
expect(refine(grid1, exact: (u: w), cells: [4, 8, 16, 32]), 2, 1, "Poisson on a grid, P1")
expect(refine(grid2, exact: (u: w), cells: [4, 8, 16, 32]), 3, 2, "Poisson on a grid, P2")
