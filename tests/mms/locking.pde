# Locking: what linear triangles make of a nearly incompressible beam, and what mends it. Shear modulus 1, lambda up to 1e4.
geometry beam = rectangle(x: 0..8, y: 0..1)
fn stress(u, la) = 2*eps(u) + la*tr(eps(u))*I

pde linear(la = 1e4) on beam {
  unknown u : vector P1
  div(stress(u, la)) == 0
  on left: u == 0
  on right: dot(stress(u, la), n) == (0, -0.001)
  on others: dot(stress(u, la), n) == 0
}
pde quadratic(la = 1e4) on beam {
  unknown u : vector P2
  div(stress(u, la)) == 0
  on left: u == 0
  on right: dot(stress(u, la), n) == (0, -0.001)
  on others: dot(stress(u, la), n) == 0
}
pde mixed(la = 1e4) on beam {
  unknown u : vector P2
  unknown p : scalar P1
  field s = 2*eps(u) - p*I
  equation u: div(s) == 0
  equation p: div(u) + p/la == 0
  on left: u == 0
  on right: dot(s, n) == (0, -0.001)
  on others: dot(s, n) == 0
}
m = mesh(beam, cells: [32, 4])
fine = refined(m)
tip = -solve(mixed, refined(fine)).u.y(8, 0.5)
# F L^3/(3 E' J) in plane strain, where E' = E/(1 - nu^2) is 4 at nu = 1/2, and the part by shear
beam_theory = 0.001*8^3/(3*4/12) + 1.2*0.001*8
assert abs(tip/beam_theory - 1) < 0.03, f"the tip moves by {tip:.5f}, by beam theory {beam_theory:.5f}"
share = -solve(linear, m).u.y(8, 0.5)/tip
soft = -solve(linear, m, la: 1).u.y(8, 0.5)/(-solve(quadratic, fine, la: 1).u.y(8, 0.5))
assert share < 0.3 and soft > 0.75, f"linear triangles: {share:.3f} of the deflection at lambda/mu 1e4, {soft:.3f} at 1"
print(f"ok linear triangles give {100*share:.0f} % of the deflection at lambda/mu = 1e4, {100*soft:.0f} % at 1")
for (name, got) in [("P2", -solve(quadratic, m).u.y(8, 0.5)), ("P2 with a pressure P1", -solve(mixed, m).u.y(8, 0.5))] {
  assert abs(got/tip - 1) < 0.02, f"{name}: {got/tip:.4f} of the deflection"
  print(f"ok {name}: {100*got/tip:.1f} %")
}
