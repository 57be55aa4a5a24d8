# Numbers of given fields.
geometry plate {
  outer = polygon([(0, 0), (1.2, 0.1), (1.4, 0.8), (0.6, 1.1), (0.1, 0.7)])
  hole = disk(center: (0.7, 0.5), radius: 0.15)
  shape = outer - hole
  region a = where x < 0.6
  region b = where x >= 0.6
}
geometry block = box(x: 0..1, y: 0..0.8, z: 0..0.6)
geometry line = interval(0, 2)
field f = sin(3*x)*exp(y)
field k { on a: 1 + x; on b: 5 }
fn show(name, v) { print(f"{name} = {v:.15e}") }
m = mesh(plate, h: 0.1)
p1 = project((u: f), m)
p2 = project((u: f), m, element: P2)
for (s, e) in [(p1, "P1"), (p2, "P2")] {
  show(f"integral, {e}", integral(s.u))
  show(f"L2, {e}", norm(s.u))
  show(f"H1, {e}", norm(s.u, H1))
  show(f"error, {e}", norm(s.u - f))
  show(f"H1 error, {e}", norm(s.u - f, H1))
  show(f"Linf, {e}", norm(s.u, Linf))
  show(f"largest, {e}", max(s.u))
  show(f"region, {e}", integral(k*s.u, on: b))
  show(f"hole, {e}", integral(s.u^2, on: hole))
  show(f"normal derivative, {e}", integral(dot(grad(s.u), n), on: all))
  show(f"interface, {e}", integral(s.u*x, on: interface(a, b)))
  show(f"point, {e}", s.u(0.3, 0.55))
}
show("integral of a formula", integral(k*f, on: m))
show("area", integral(1, on: m))
q = project((u: (x*y, z^2, x)), mesh(block, cells: [5, 4, 3]))
show("3D L2", norm(q.u))
show("3D H1", norm(q.u, H1))
show("3D side", integral(q.u.y, on: z_max))
show("3D divergence", integral(div(q.u)^2))
r = project((u: cos(x)), mesh(line, cells: [11]))
show("1D L2", norm(r.u))
show("1D H1 error", norm(r.u - cos(x), H1))
# Many cuts between the ranks: one of them goes through an interface, whose facets have their cells on both sides of it.
geometry checks {
  body = rectangle(x: 0..1, y: 0..1)
  shape = body
  region odd = where sin(8*pi*x)*sin(8*pi*y) > 0
  region even = where sin(8*pi*x)*sin(8*pi*y) <= 0
}
m = mesh(checks, cells: [16, 16])
s = project((u: f), m)
show("interfaces", integral(s.u, on: interface(odd, even)))
show("interfaces, gradient of one side", integral(dot(grad(s.u), n), on: interface(odd, even)))
