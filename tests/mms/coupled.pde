# Coupled systems by manufactured solutions: orders of every unknown; equal and mixed elements, linear and nonlinear, steady
# and in time.
geometry plate = polygon([(0, 0), (1, 0), (1.2, 0.7), (0.4, 1), (0, 0.8)])
geometry line = interval(0, 1)
field a = sin(x + y)
field b = exp(x - y)
field c = cos(2*x)*y
field d = (x*y, sin(y))

pde linear on plate {
  unknown u : scalar P1
  unknown v : scalar P2
  equation u: -div(2*grad(u) + 0.5*grad(v)) + v == -div(2*grad(a) + 0.5*grad(b)) + b
  equation v: -lap(v) + dx(u) + 2*v == -lap(b) + dx(a) + 2*b
  on side1 { dot(2*grad(u) + 0.5*grad(v), n) == dot(2*grad(a) + 0.5*grad(b), n); v == b }
  on others { u == a; v == b }
}
pde reactive on plate {
  unknown u, v : scalar P2
  equation u: -lap(u) + u*v^2 == -lap(a) + a*b^2
  equation v: -lap(v) - u*v^2 + v == -lap(b) - a*b^2 + b
  on all { u == a; v == b }
}
## Heat that strains: a vector P2 with a scalar P1, the temperature in the stress.
fn stress(w, T) = 2*eps(w) + tr(eps(w))*I - 0.3*T*I
pde thermoelastic on plate {
  unknown T : scalar P1
  unknown w : vector P2
  equation T: -lap(T) == -lap(c)
  equation w: -div(stress(w, T)) == -div(stress(d, c))
  on side2 { dot(grad(T), n) == dot(grad(c), n); dot(stress(w, T), n) == dot(stress(d, c), n) }
  on others { T == c; w == d }
}
pde in_time on line {
  unknown u, v : scalar P2
  equation u: dt(u) == lap(u) - v + 3*cos(3*t)*x^2 - 2*sin(3*t) + (1 + x)*exp(-t)
  equation v: dt(v) == lap(v) + u - (1 + x)*exp(-t) - sin(3*t)*x^2
  on all { u == sin(3*t)*x^2; v == (1 + x)*exp(-t) }
  initially: u == 0
  initially: v == 1 + x
}
fn order(list, expected, what) {
  assert abs(list[-1] - expected) < 0.15, f"{what}: order {list[-1]:.3f}, expected {expected}"
}
m = mesh(plate, h: 0.3)
s = refine(linear, exact: (u: a, v: b), mesh: m, levels: 4)
order(s.order_L2_u, 2, "u in L2"); order(s.order_H1_u, 1, "u in H1"); order(s.order_H1_v, 2, "v in H1")
print("ok linear, P1 with P2")
s = refine(reactive, exact: (u: a, v: b), mesh: m, levels: 3)
order(s.order_L2_u, 3, "u in L2"); order(s.order_H1_u, 2, "u in H1"); order(s.order_L2_v, 3, "v in L2"); order(s.order_H1_v, 2, "v in H1")
print("ok reactions, P2")
s = refine(thermoelastic, exact: (T: c, w: d), mesh: m, levels: 4)
order(s.order_L2_T, 2, "T in L2"); order(s.order_H1_T, 1, "T in H1"); order(s.order_H1_w, 2, "w in H1")
print("ok thermoelastic, P1 with vector P2")
for (scheme_order, s) in [(1, refine(in_time, exact: (u: sin(3*t)*x^2, v: (1 + x)*exp(-t)), mesh: mesh(line, cells: [4]), time: 0..1, steps: [0.02, 0.01, 0.005], scheme: backward_euler)),
                          (2, refine(in_time, exact: (u: sin(3*t)*x^2, v: (1 + x)*exp(-t)), mesh: mesh(line, cells: [4]), time: 0..1, steps: [0.02, 0.01, 0.005], scheme: crank_nicolson)),
                          (2, refine(in_time, exact: (u: sin(3*t)*x^2, v: (1 + x)*exp(-t)), mesh: mesh(line, cells: [4]), time: 0..1, steps: [0.01, 0.005, 0.0025], scheme: bdf2))] {
  order(s.order_L2_u, scheme_order, "u in time"); order(s.order_L2_v, scheme_order, "v in time")
  print(f"ok in time, a scheme of order {scheme_order}")
}
