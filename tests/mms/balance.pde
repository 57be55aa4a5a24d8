# What flows out is what the sources give, to 1e-10 of what flows: corners between prescribed sides, interfaces, Robin data.
geometry square = rectangle(x: 0..1, y: 0..1)
geometry holed {
  outer = rectangle(x: 0..2, y: 0..1)
  hole = disk(center: (0.7, 0.5), radius: 0.2)
  shape = outer - hole
  region cold = where x < 1.2
  region warm = where x >= 1.2
}
geometry block = box(x: 0..1, y: 0..1, z: 0..0.5)
field k { on cold: 1 + y; on warm: 7 }

## Four sides prescribed, different values at the corners.
pde corners on square {
  unknown u : scalar P1
  -lap(u) == exp(x)*y
  on left: u == 1; on right: u == 0; on bottom: u == x; on top: u == sin(3*x)
}
pde corners2 on square {
  unknown u : scalar P2
  -lap(u) == exp(x)*y
  on left: u == 1; on right: u == 0; on bottom: u == x; on top: u == sin(3*x)
}
pde mixed on holed {
  unknown u : scalar P2
  -div(k*grad(u)) == x*y
  on outer.left: u == y
  on hole: dot(k*grad(u), n) == 3*(1 - u)
  on outer.top: dot(k*grad(u), n) == x^2
  on outer.right: u == 0
  on others: dot(k*grad(u), n) == 0
}
pde solid on block {
  unknown u : scalar P1
  -div((1 + x)*grad(u)) == z
  on x_min: u == 1; on x_max: u == y
  on z_max: dot((1 + x)*grad(u), n) == 2*(0.5 - u)
  on others: dot((1 + x)*grad(u), n) == 0
}
## Advection in divergence form: the flux holds it.
pde carried on square {
  unknown c : scalar P2
  -div(0.1*grad(c) - (1, y - 0.5)*c) == 1
  on left: c == 1
  on bottom, top: dot(0.1*grad(c) - (1, y - 0.5)*c, n) == 0
  on right: c == 0
}
fn closed(total, size, what) {
  assert abs(total) <= 1e-10*size, f"{what}: out of balance by {total:.2e} of {size:.2e}"
  print(f"ok {what}")
}
for (m, kind) in [(mesh(square, cells: [8, 8]), "structured"), (mesh(square, h: 0.13), "unstructured")] {
  for (s, element) in [(solve(corners, m), "P1"), (solve(corners2, m), "P2")] {
    parts = [flux(s, left), flux(s, right), flux(s, bottom), flux(s, top)]
    source = integral(exp(x)*y, on: m, degree: 8)
    closed(sum(parts) - flux(s, all), 1, f"sides add up to the whole boundary, {element} {kind}")
    given = -sum(parts)
    assert abs(given - source) < 1e-5, f"{given} {source}"
    closed(imbalance(s), 1, f"corners between prescribed sides, {element} {kind}")
  }
}
m = mesh(holed, h: 0.15)
s = solve(mixed, m)
q = [flux(s, outer.left), flux(s, outer.right), flux(s, outer.top), flux(s, outer.bottom), flux(s, hole)]
closed(sum(q) + integral(x*y, on: m), 3, "mixed conditions around a hole")
closed(q[3], 1, "nothing leaves an insulated side")
closed(q[4] - integral(3*(1 - s.u), on: hole), 3, "the Robin flux is what the condition says")
closed(q[2] - 8/3, 3, "the Neumann flux is what the condition says")
through = flux(s, interface(cold, warm))
closed(through + flux(s, interface(warm, cold)), 1, "the flux through an interface changes its sign with its direction")
closed(flux(s, outer.right) + (8 - 1.2^3)/3 + integral(x*y, on: warm) - through, 3, "the balance of one region")
b = solve(solid, mesh(block, h: 0.3))
closed(flux(b, all) + integral(z, on: block), 1, "in 3D")
closed(flux(b, x_min) + flux(b, x_max) + flux(b, z_max) + integral(z, on: block), 1, "in 3D, by sides")
c = solve(carried, mesh(square, h: 0.1))
closed(flux(c, all) + 1, 1, "advection and diffusion")
pde factors(a = 0.1) on square {
  unknown u : scalar P2
  -a*lap(u)/2 == 0
  on left: u == 0
  on right: dot(a*grad(u), n) == 3
  on others: dot(grad(u), n) == 0
}
f = solve(factors, mesh(square, cells: [4, 4]))
closed(flux(f, right) - 1.5, 1, "a constant factor belongs to the flux, in what is prescribed")
closed(flux(f, left) + 1.5, 1, "a constant factor belongs to the flux, by reactions")
