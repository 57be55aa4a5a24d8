# The demonstration that `make demo` runs: how a hole weakens a plate that is pulled.
#
# Shows: geometry, a mesh finer at the rim, plane stress, contracts, a picture.
# Comes out: the stress at the hole is three times the pull (Kirsch 1898); demo.png.

import "mechanics/elasticity"

E = 70e3; nu = 0.33; pull = 100.0
geometry plate {
  sheet = rectangle(x: -2..2, y: -1..1)
  hole  = disk(center: (0, 0), radius: 0.25)
  shape = sheet - hole
}
pde tension on plate {
  unknown u : vector P2
  div(plane_stress(u, E, nu)) == 0
  on sheet.left: dot(plane_stress(u, E, nu), n) == (-pull, 0)
  on sheet.right: dot(plane_stress(u, E, nu), n) == (pull, 0)
  on others: dot(plane_stress(u, E, nu), n) == 0
  integral(u.x) == 0; integral(u.y) == 0; integral(x*u.y - y*u.x) == 0      # held by nothing: no rigid motion in the mean
}

m = mesh(plate, h: 0.1, size: near(hole, 0.015, within: 0.25))
sol = solve(tension, m)
stress_now = plane_stress(sol.u, E, nu)
sx = stress_now[0, 0]
width = 0.5/2
heywood = (2 + (1 - width)^3)/(1 - width)
print("A plate of 4 x 2 with a hole of radius 0.25, pulled by 100 at both ends.")
print(f"  {sol.dofs} unknowns, solver {sol.solver}, residual {sol.residual:.0e}")
print(f"  stress at the rim {sx(0, 0.25):.1f}; Kirsch's infinite plate 300, Heywood's formula for this width {100*heywood:.1f}")
print(f"  far from the hole {sx(1.9, 0):.1f}; the plate grows by {1000*(sol.u.x(2, 0) - sol.u.x(-2, 0)):.2f}e-3, without the hole by {1000*4*pull/E:.2f}e-3")
check sol against residual(sol), reaction_balance(sol, u), traction_free(sol, stress_now, part: hole)
assert abs(sx(0, 0.25)/(100*heywood) - 1) < 0.03, "the stress concentration is off"
plot(von_mises_plane_stress(stress_now), "demo.png", title: "von Mises stress of a pulled plate, pull 100", deform: sol.u)
print("The picture is demo.png.")
