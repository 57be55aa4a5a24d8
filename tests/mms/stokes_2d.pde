# Stokes with Taylor-Hood elements on a polygon: velocity of third order in L2 and second in H1, pressure of second in L2.
geometry plate = polygon([(0, 0), (1.2, 0.1), (1.4, 0.8), (0.6, 1.1), (0.1, 0.7)])
field psi = sin(2*x)*cos(y)
field w = (dy(psi), -dx(psi))
field q = cos(x*y) + x
fn stress(u, p) = 2*eps(u) - p*I

pde traction on plate {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: -div(stress(u, p)) == -div(stress(w, q))
  equation p: div(u) == 0
  on side2: dot(stress(u, p), n) == dot(stress(w, q), n)
  on others: u == w
}
## Velocity given all around: the pressure is fixed by its mean.
pde enclosed on plate {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: -div(grad(u) - p*I) == -div(grad(w) - q*I)
  equation p: div(u) == 0
  on all: u == w
  mean(p) == 0
}
fn last_orders(s, what) {
  a = s.order_L2_u[-1]; b = s.order_H1_u[-1]; c = s.order_L2_p[-1]
  assert abs(a - 3) < 0.15 and abs(b - 2) < 0.15, f"{what}: velocity orders {a:.3f} {b:.3f}"
  assert c > 1.85, f"{what}: pressure order {c:.3f}"
  print(f"ok {what}: orders {a:.2f} {b:.2f} of the velocity, {c:.2f} of the pressure")
}
m = mesh(plate, h: 0.3)
last_orders(refine(traction, exact: (u: w, p: q), mesh: m, levels: 4), "Stokes with a traction side")
q_mean = mean(q, on: refined(refined(m)), degree: 12)
last_orders(refine(enclosed, exact: (u: w, p: q - q_mean), mesh: m, levels: 4), "Stokes, enclosed")
