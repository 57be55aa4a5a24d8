# A solid wing, held at its root and loaded on its lower side: span 3, tapered and swept back.
#
# Shows: the shape `wing` of a NACA profile, a solid's vector unknown, the pressure -p*n on a curved side.
# Comes out: the force on the root is the lift on the lower side.

geometry w = wing("2415", span: 3, chord: 1, taper: 0.5, sweep: 0.35)

pde bending(E = 1000.0, nu = 0.3, p = 0.002) on w {
  unknown u : vector P2
  field sigma = E/(1 + nu)*eps(u) + E*nu/((1 + nu)*(1 - 2*nu))*tr(eps(u))*I
  div(sigma) == (0, 0, 0)
  on root:   u == 0
  on lower:  dot(sigma, n) == -p*n
  on others: dot(sigma, n) == 0
}
m = mesh(w, h: 0.12)
s = solve(bending, m)
print(f"tip rises by {max(s.u.z):.1f}")
lift = flux(s.u, lower)
held = flux(s.u, root)
print(f"lift {1000*lift.z:.1f}, force on the root {1000*held.z:.1f} thousandths")
assert abs(lift.z + held.z) < 1e-6*lift.z
plot(s.u.z, "wing.png", mesh: true, deform: s.u)
