# MethodOfLines #75: a sphere of radius 0.01 heated through a film, u_r(R) = 100 - u; refused there as no valid condition. The
# values at centre and surface are those of the series.
geometry radius = interval(0, 0.01)
pde sphere on radius {
  unknown u : scalar P2
  x^2*dt(u) == div(x^2*grad(u))
  on right: dot(x^2*grad(u), n) == x^2*(100 - u)
  on left: dot(x^2*grad(u), n) == 0
  initially: u == 20
}
m = mesh(radius, cells: [20])
s = solve(sphere, m, time: 0..0.0115, step: 5e-6, scheme: bdf2)
for (time, centre, surface) in [(1e-4, 22.126934, 22.514940), (1e-3, 40.521225, 40.817581), (1.15e-2, 97.435118, 97.447898)] {
  e = s.u at time
  assert abs(e(0) - centre) < 2e-3 and abs(e(0.01) - surface) < 2e-3, f"t = {time}: {e(0)} {e(0.01)}"
  print(f"ok t = {time}")
}
