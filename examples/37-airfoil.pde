# The stream function of a potential flow around NACA 2412 at an angle of attack of 0.1 (5.7 degrees).
#
# Shows: an airfoil by its four digits, the domain of the flow around it, cells finer near its upper side than near its lower.
# Comes out: without circulation of its own the profile turns the flow at its ends fastest; the fluxes through its side and the outer ones balance.

geometry air = flow_around(airfoil("2412", angle: 0.1), x: -2..3, y: -2..2)

pde stream on air {
  unknown psi : scalar P2
  div(grad(psi)) == 0
  on inlet, outlet, farfield: psi == y
  on airfoil: psi == 0
}
m = mesh(air, h: 0.4, size: [near(upper, 0.02, within: 0.05), near(lower, 0.03)])
print(mesh_report(m))
s = solve(stream, m)
print(f"fastest {max(abs(grad(s.psi))):.3f} of the speed far away")
around = flux(s.psi, airfoil)
outer = flux(s.psi, inlet) + flux(s.psi, outlet) + flux(s.psi, farfield)
print(f"circulation {around:.4f}, through the outer sides {outer:.4f}")
assert abs(around + outer) < 1e-8
plot(s.psi, "airfoil.png", mesh: true)
