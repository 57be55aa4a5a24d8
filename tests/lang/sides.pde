# What jumps between two regions: the mean of both sides, or one side's.
#! expect: 2 3 1
#! expect: 2 3 1 1
#! expect: 2 3 1
#! expect: 2 3 1 1
#! expect: 3 1 -1
#! expect: 3 1 1 2
#! expect: 2 3 1
#! expect: 2 3 1 1
#! expect: 2 1
geometry line {
  shape = interval(0, 2)
  region a = where x < 1
  region b = where x > 1
}
geometry sheet {
  shape = rectangle(x: 0..2, y: 0..1)
  region a = where x < 1
  region b = where x > 1
}
geometry block {
  shape = box(x: 0..2, y: 0..1, z: 0..1)
  region a = where x < 1
  region b = where x > 1
}
field k { on a: 1; on b: 3 }
pde p on line { unknown u : scalar P2; -div(k*grad(u)) == 0; on left: u == 0; on right: u == 4 }
pde q on sheet { unknown u : scalar P1; -div(k*grad(u)) == 0; on left: u == 0; on right: u == 4; on others: dot(k*grad(u), n) == 0 }
pde r on block { unknown u : scalar P1; -div(k*grad(u)) == 0; on x_min: u == 0; on x_max: u == 4; on others: dot(k*grad(u), n) == 0 }
u = solve(p, mesh(line, cells: [8])).u
print(f"{dx(u)(1):.6g} {dx(u)(1, from: a):.6g} {dx(u)(1, from: b):.6g}")
print(f"{integral(dx(u), on: interface(a, b)):.6g} {integral(dx(u), on: interface(a, b), from: a):.6g} {integral(dx(u), on: interface(b, a), from: b):.6g} {integral(dx(u), on: right):.6g}")
u = solve(q, mesh(sheet, cells: [8, 4])).u
print(f"{dx(u)((1, 0.4)):.6g} {dx(u)(1, 0.4, from: a):.6g} {dx(u)(1, 0.4, from: b):.6g}")
print(f"{max(dx(u), on: interface(a, b)):.6g} {max(dx(u), on: interface(a, b), from: a):.6g} {mean(dx(u), on: interface(a, b), from: b):.6g} {norm(dx(u), on: interface(b, a), from: b):.6g}")
print(f"{integral(dot(grad(u), n), on: interface(a, b), from: a):.6g} {integral(dot(grad(u), n), on: interface(a, b), from: b):.6g} {integral(dot(grad(u), n), on: interface(b, a), from: b):.6g}")
print(f"{integral(dot(k*grad(u), n), on: interface(a, b), from: a):.6g} {mean(k*u/3, on: interface(a, b), from: a):.6g} {norm(u/3, on: interface(a, b)):.6g} {mean(k*u/3, on: interface(a, b)):.6g}")
u = solve(r, mesh(block, cells: [4, 2, 2])).u
print(f"{dx(u)(1, 0.4, 0.3):.6g} {dx(u)(1, 0.4, 0.3, from: a):.6g} {dx(u)(1, 0.4, 0.3, from: b):.6g}")
print(f"{integral(dx(u), on: interface(a, b)):.6g} {integral(dx(u), on: interface(a, b), from: a):.6g} {integral(dx(u), on: interface(b, a), from: b):.6g} {min(dx(u), on: all):.6g}")
print(f"{max(along(dx(u), (1, 0.1, 0.1), (1, 0.9, 0.9), n: 3)):.6g} {max(along(dx(u), (1, 0.1, 0.1), (1, 0.9, 0.9), n: 3, on: b)):.6g}")
