# A thick tube under inner pressure, by its section: an axisymmetric problem in the half plane (r, z).
#
# Shows: x as the radius, the equations times r so that fluxes are r*stress, the library mechanics/axisymmetric.
# Comes out: Lamé's solution (1852), hoop stress 5/3 of the pressure inside, 2/3 outside, for radii 1 and 2.

import "mechanics/axisymmetric"
a = 1.0; b = 2.0; E = 210.0; nu = 0.3; p = 0.15

geometry section = rectangle(x: a..b, y: 0..0.5)
pde tube on section {
  unknown u : vector P2                              # (u_r, u_z)
  field s = axisymmetric_stress(u, E, nu, x)
  div(x*s) - hoop_pull(u, E, nu, x) == 0
  on left: dot(x*s, n) == x*(p, 0)                   # n points to the axis, the pressure pushes outwards
  on right: dot(x*s, n) == 0
  on bottom, top { u.y == 0; dot(x*s, n).x == 0 }    # long: no axial strain
}

sol = solve(tube, mesh(section, cells: [24, 4]))
field hoop = hoop_stress(sol.u, E, nu, x)
print(f"u_r inside {sol.u.x(a, 0.25):.7f}, Lamé {tube_displacement(a, a, b, p, E, nu):.7f}")
print(f"hoop stress over the pressure: inside {hoop(a, 0.25)/p:.3f}, outside {hoop(b, 0.25)/p:.3f}")
check sol against norm(sol.u.x - tube_displacement(x, a, b, p, E, nu), Linf) <= 2e-5*tube_displacement(a, a, b, p, E, nu),
  norm(hoop - tube_hoop_stress(x, a, b, p)) <= 2e-3*p,
  norm(sol.u.y, Linf) <= 1e-8
plot(hoop, "hoop.png", title: "hoop stress")
