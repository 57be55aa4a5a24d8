# Elasticity in 2D with Lame coefficients that vary in space; traction, roller and clamped sides. P1 and P2.
import "orders"
geometry plate = polygon([(0, 0), (1, 0), (1.2, 0.7), (0.4, 1), (0, 0.8)])
field w = (sin(x)*cos(2*y), x*y + 0.3*exp(x - y))
field mu = 1 + 0.5*x
field la = 2 + y
fn stress(u) = la*tr(eps(u))*I + 2*mu*eps(u)

pde p1 on plate {
  unknown u : vector P1
  -div(stress(u)) == -div(stress(w))
  on side2: dot(stress(u), n) == dot(stress(w), n)
  on side5 { u.x == w.x; dot(stress(u), n).y == dot(stress(w), n).y }
  on others: u == w
}
pde p2 on plate {
  unknown u : vector P2
  -div(stress(u)) == -div(stress(w))
  on side2: dot(stress(u), n) == dot(stress(w), n)
  on side5 { u.x == w.x; dot(stress(u), n).y == dot(stress(w), n).y }
  on others: u == w
}
m = mesh(plate, h: 0.3)
expect(refine(p1, exact: (u: w), mesh: m, levels: 4), 2, 1, "elasticity, P1")
expect(refine(p2, exact: (u: w), mesh: m, levels: 4), 3, 2, "elasticity, P2")
