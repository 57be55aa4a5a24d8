# A line of length 4 between kappa = 1 and 0.2: the integral of kappa is 4 from one side, 0.8 from the other; 1.6 was observed.
geometry halves {
  body = rectangle(x: 0..2, y: 0..4)
  shape = body
  region one = where x < 1
  region two = where x >= 1
}
field kappa { on one: 1; on two: 0.2 }
pde p on halves {
  unknown u : scalar P1
  -div(kappa*grad(u)) == 0
  on body.left: u == 0
  on body.right: u == 6
  on others: dot(kappa*grad(u), n) == 0
}
for (m, kind) in [(mesh(halves, cells: [4, 8]), "structured"), (mesh(halves, h: 0.3), "unstructured")] {
  s = solve(p, m)
  a = integral(kappa + 0*s.u, on: interface(one, two), from: one); b = integral(kappa + 0*s.u, on: interface(one, two), from: two)
  assert abs(a - 4) < 1e-12 and abs(b - 0.8) < 1e-12, f"{a} {b}"
  print(f"ok the side that is asked for, {kind}")
  q = flux(s, interface(one, two))
  assert abs(q - 4) < 1e-11 and abs(flux(s, interface(two, one)) + 4) < 1e-11, f"{q}"
  print(f"ok the flux through the line, {kind}")
}
