# 3D: an unstructured mesh of a prism, refined: Poisson, tensor diffusion with Robin data, elasticity.
import "orders"
geometry block = box(x: 0..1, y: 0..0.8, z: 0..0.6)
field w = sin(x + y)*exp(0.5*z) + x*z
field K = [[2 + x, 0.3, 0], [0.3, 1 + y*z, 0.2*x], [0, 0.2*x, 1.5]]
field F = dot(K, grad(w))
field b = (y, -x, 1)
field v = (sin(x)*y, x*z + y^2, exp(0.5*x - z))
fn stress(u) = 2*tr(eps(u))*I + 2*(1 + 0.3*x)*eps(u)

pde poisson1 on block { unknown u : scalar P1; -lap(u) == -lap(w); on all: u == w }
pde poisson2 on block { unknown u : scalar P2; -lap(u) == -lap(w); on all: u == w }
pde transport1 on block {
  unknown u : scalar P1
  -div(dot(K, grad(u))) + dot(b, grad(u)) + u == -div(F) + dot(b, grad(w)) + w
  on x_max: dot(dot(K, grad(u)), n) == dot(F, n) + 2*(w - u)
  on z_min: dot(dot(K, grad(u)), n) == dot(F, n)
  on others: u == w
}
pde transport2 on block {
  unknown u : scalar P2
  -div(dot(K, grad(u))) + dot(b, grad(u)) + u == -div(F) + dot(b, grad(w)) + w
  on x_max: dot(dot(K, grad(u)), n) == dot(F, n) + 2*(w - u)
  on z_min: dot(dot(K, grad(u)), n) == dot(F, n)
  on others: u == w
}
pde elastic1 on block {
  unknown u : vector P1
  -div(stress(u)) == -div(stress(v))
  on x_max: dot(stress(u), n) == dot(stress(v), n)
  on others: u == v
}
pde elastic2 on block {
  unknown u : vector P2
  -div(stress(u)) == -div(stress(v))
  on x_max: dot(stress(u), n) == dot(stress(v), n)
  on others: u == v
}
m = mesh(block, h: 0.6)
print(m)
expect(refine(poisson1, exact: (u: w), mesh: m, levels: 4), 2, 1, "Poisson, P1")
expect(refine(poisson2, exact: (u: w), mesh: m, levels: 3), 3, 2, "Poisson, P2")
expect(refine(transport1, exact: (u: w), mesh: m, levels: 4), 2, 1, "tensor and Robin, P1")
expect(refine(transport2, exact: (u: w), mesh: m, levels: 3), 3, 2, "tensor and Robin, P2")
expect(refine(elastic1, exact: (u: v), mesh: m, levels: 4), 2, 1, "elasticity, P1")
expect(refine(elastic2, exact: (u: v), mesh: m, levels: 3), 3, 2, "elasticity, P2")
