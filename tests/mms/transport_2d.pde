# Advection, diffusion by a full tensor that varies in space, reaction; Robin and Neumann data. P1 and P2 on a polygon with
# a reentrant corner (the exact solution is smooth), refined three times.
import "orders"
geometry plate = polygon([(0, 0), (1, 0), (1, 0.5), (0.5, 0.6), (0.5, 1), (0, 1)])
field w = cos(x - 2*y) + x^2*y
field K = [[2 + x*y, 0.5*sin(x)], [0.5*sin(x) + 0.2*y, 1 + x^2]]
field b = (1 + y, x - 0.5)
field F = dot(K, grad(w))

pde p1(a = 2 + x) on plate {
  unknown u : scalar P1
  -div(dot(K, grad(u))) + dot(b, grad(u)) + u == -div(F) + dot(b, grad(w)) + w
  on side1: dot(dot(K, grad(u)), n) == dot(F, n) + a*(w - u)
  on side2, side3: dot(dot(K, grad(u)), n) == dot(F, n)
  on others: u == w
}
pde p2(a = 2 + x) on plate {
  unknown u : scalar P2
  -div(dot(K, grad(u))) + dot(b, grad(u)) + u == -div(F) + dot(b, grad(w)) + w
  on side1: dot(dot(K, grad(u)), n) == dot(F, n) + a*(w - u)
  on side2, side3: dot(dot(K, grad(u)), n) == dot(F, n)
  on others: u == w
}
## Transport in divergence form: the flux has both parts, and the Robin condition prescribes it whole.
pde conservative on plate {
  unknown u : scalar P2
  -div(dot(K, grad(u)) - b*u) + 2*u == -div(F - b*w) + 2*w
  on side1, side2: dot(dot(K, grad(u)) - b*u, n) == dot(F - b*w, n) + 3*(w - u)
  on others: u == w
}
m = mesh(plate, h: 0.25)
expect(refine(p1, exact: (u: w), mesh: m, levels: 4), 2, 1, "tensor and Robin, P1")
expect(refine(p2, exact: (u: w), mesh: m, levels: 4), 3, 2, "tensor and Robin, P2")
expect(refine(conservative, exact: (u: w), mesh: m, levels: 4), 3, 2, "divergence form, P2")
