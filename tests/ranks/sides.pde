# What jumps between regions, from either side.
geometry block {
  shape = box(x: 0..2, y: 0..1, z: 0..1)
  region a = where x < 1
  region b = where x >= 1
}
geometry sheet {
  shape = rectangle(x: 0..2, y: 0..1)
  region a = where x + y < 1.3
  region b = where x + y >= 1.3
}
field k { on a: 1 + x; on b: 5*y }
fn show(name, v) { print(f"{name} = {v:.15e}") }
fn all_sides(name, u, m) {
  show(f"{name}, mean", integral(dx(u)*k, on: interface(a, b)))
  show(f"{name}, a", integral(dx(u)*k, on: interface(a, b), from: a))
  show(f"{name}, b", integral(dx(u)*k, on: interface(a, b), from: b))
  show(f"{name}, normal, b", integral(dot(grad(u), n), on: interface(a, b), from: b))
  show(f"{name}, normal", integral(dot(grad(u), n), on: interface(b, a)))
  show(f"{name}, largest", max(dx(u)*k, on: interface(a, b)))
  show(f"{name}, smallest, b", min(dx(u)*k, on: interface(a, b), from: b))
}
m = mesh(block, cells: [8, 4, 4])
s = project((u: sin(3*x)*exp(y)*(1 + z)), m)
all_sides("block", s.u, m)
show("block, point", dx(s.u)(1, 0.25, 0.5))
show("block, point, a", dx(s.u)(1, 0.25, 0.5, from: a))
show("block, point, b", dx(s.u)(1, 0.25, 0.5, from: b))
m2 = mesh(sheet, h: 0.1)
s2 = project((u: sin(3*x)*exp(y)), m2, element: P2)
all_sides("sheet", s2.u, m2)
