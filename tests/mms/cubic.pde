# P3 in one to three dimensions: scalar and vector, refined. Edges have two nodes, so cells have to agree on their direction.
import "orders"
geometry line = interval(0, 1.3)
geometry plate = polygon([(0, 0), (1.2, 0.1), (1.4, 0.8), (0.6, 1.1), (0.1, 0.7)])
geometry square = rectangle(x: 0..1, y: 0..1)
geometry block = box(x: 0..1, y: 0..0.8, z: 0..0.6)
field w1 = sin(3*x) + exp(-x)
field w2 = sin(2*x + y)*exp(0.5*y)
field w3 = sin(2*x + y)*exp(z) + x*z
field v2 = (sin(2*x)*y, cos(x + 2*y))
fn stress(u) = 2*tr(eps(u))*I + 2*(1 + 0.3*x)*eps(u)

pde line3(c = 1 + x) on line {
  unknown u : scalar P3
  -div((1 + x^2)*grad(u)) + c*u == -div((1 + x^2)*grad(w1)) + c*w1
  on left: u == w1
  on right: dot((1 + x^2)*grad(u), n) == dot((1 + x^2)*grad(w1), n)
}
pde reaction3(k = 1 + x^2*y, c = 3) on plate {
  unknown u : scalar P3
  -div(k*grad(u)) + c*u == -div(k*grad(w2)) + c*w2
  on side1, side2: dot(k*grad(u), n) == dot(k*grad(w2), n)
  on others: u == w2
}
pde grid3 on square { unknown u : scalar P3; -lap(u) == -lap(w2); on all: u == w2 }
pde elastic3 on plate {
  unknown u : vector P3
  -div(stress(u)) == -div(stress(v2))
  on side1: dot(stress(u), n) == dot(stress(v2), n)
  on others: u == v2
}
pde block3 on block { unknown u : scalar P3; -lap(u) == -lap(w3); on x_max: dot(grad(u), n) == dot(grad(w3), n); on others: u == w3 }
# a cubic is in the space
field cubic = x^3 - 2*x^2*y + y*z^2 + 3*x*y*z - z + 1
pde patch on block { unknown u : scalar P3; -lap(u) == -lap(cubic); on x_max: dot(grad(u), n) == dot(grad(cubic), n); on others: u == cubic }

m = mesh(plate, h: 0.4)
expect(refine(line3, exact: (u: w1), cells: [4, 8, 16, 32]), 4, 3, "1D, P3")
expect(refine(reaction3, exact: (u: w2), mesh: m, levels: 4), 4, 3, "reaction, P3")
expect(refine(grid3, exact: (u: w2), cells: [4, 8, 16]), 4, 3, "Poisson on a grid, P3")
expect(refine(elastic3, exact: (u: v2), mesh: m, levels: 3), 4, 3, "elasticity, P3")
expect(refine(block3, exact: (u: w3), mesh: mesh(block, h: 0.6), levels: 3), 4, 3, "3D, P3")
s = solve(patch, mesh(block, h: 0.4))
e = norm(s.u - cubic, Linf)
print(f"patch {e:.2e}")
assert e < 1e-12, "P3 has the cubics"
