# Numbers of solved problems: one of each class of solver.
geometry square = rectangle(x: 0..1, y: 0..1)
geometry plate {
  outer = rectangle(x: 0..2, y: 0..1)
  hole = disk(center: (0.7, 0.5), radius: 0.2)
  shape = outer - hole
  region cold = where x < 1.2
  region warm = where x >= 1.2
}
geometry block = box(x: 0..2, y: 0..1, z: 0..1)
field k { on cold: 1 + y; on warm: 7 }
fn show(name, v) { print(f"{name} ~ {v:.15e}") }
fn stress(u) = 1.5*tr(eps(u))*I + 2*eps(u)

pde diffusion on plate {
  unknown u : scalar P2
  -div(k*grad(u)) == x*y
  on outer.left: u == y
  on hole: dot(k*grad(u), n) == 3*(1 - u)
  on outer.right: u == 0
  on others: dot(k*grad(u), n) == 0
}
s = solve(diffusion, mesh(plate, h: 0.12))
show("diffusion, L2", norm(s.u)); show("diffusion, H1", norm(s.u, H1)); show("diffusion, point", s.u(1.5, 0.3))
show("diffusion, flux left", flux(s, outer.left)); show("diffusion, flux hole", flux(s, hole)); show("diffusion, interface", flux(s, interface(cold, warm)))

pde transport on square {
  unknown u : scalar P1
  -0.05*lap(u) + dot((1, x), grad(u)) == 1
  on left, bottom: u == 0
  on others: dot(0.05*grad(u), n) == 0
}
s = solve(transport, mesh(square, h: 0.06))
show("transport, L2", norm(s.u)); show("transport, flux", flux(s, left))

pde elastic on block {
  unknown u : vector P1
  -div(stress(u)) == (0, 0, -1)
  on x_min: u == 0
  on others: dot(stress(u), n) == 0
}
s = solve(elastic, mesh(block, cells: [8, 4, 4]))
show("elasticity, L2", norm(s.u)); show("elasticity, tip", s.u.z(2, 0.5, 0.5))
(rx, ry, rz) = flux(s.u, x_min)
show("elasticity, reaction", rz)

pde nonlinear on square {
  unknown u : scalar P2
  -div((1 + u^2)*grad(u)) == 10
  on left: u == y
  on others: dot((1 + u^2)*grad(u), n) == 0
}
s = solve(nonlinear, mesh(square, h: 0.12))
show("nonlinear, L2", norm(s.u)); show("nonlinear, flux", flux(s, left)); show("nonlinear, largest", max(s.u))

pde stokes on square {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: -div(grad(u) - p*I) == (y, 0)
  equation p: div(u) == 0
  on all: u == 0
  mean(p) == 0
}
s = solve(stokes, mesh(square, h: 0.12))
show("Stokes, velocity", norm(s.u)); show("Stokes, pressure", norm(s.p))

pde heat on square {
  unknown T : scalar P1
  dt(T) == div((1 + x)*grad(T))
  on left: T == sin(4*t)
  on others: dot((1 + x)*grad(T), n) == 0
  initially: T == 0
}
s = solve(heat, mesh(square, h: 0.1), time: 0..1, step: 0.05, scheme: bdf2)
show("heat, L2", norm(s.T)); show("heat, point", s.T(0.7, 0.4)); show("heat, flux", flux(s.T, left))
early = s.T at 0.33
show("heat, earlier", early(0.5, 0.5))
pde membrane on plate {
  unknown u : scalar P2
  -lap(u) == lambda*u
  on outer: u == 0
}
for v in eigensolve(membrane, mesh(plate, h: 0.1), count: 5).values { show("membrane, eigenvalue", v) }
pde driven on plate {
  unknown u : scalar P2
  -div((1 + integral(u^2))*grad(u)) == 1 - mean(u, on: hole)
  on outer.left: u == 0
  on outer.right: dot((1 + integral(u^2))*grad(u), n) == 1 - integral(u)*u
  on others: dot((1 + integral(u^2))*grad(u), n) == 0
}
s = solve(driven, mesh(plate, h: 0.12))
show("nonlocal, L2", norm(s.u)); show("nonlocal, flux", flux(s, outer.left))
pde electrode on plate {
  unknown u : scalar P2
  unknown V : number
  -div((1 + u^2)*grad(u)) == 0
  on outer.left: u == 0
  on hole: u == V + y
  on others: dot((1 + u^2)*grad(u), n) == 0
  equation V: integral(dot((1 + u^2)*grad(u), n), on: hole) == 2 - V/3
}
s = solve(electrode, mesh(plate, h: 0.12))
show("electrode, V", s.V); show("electrode, L2", norm(s.u)); show("electrode, flux", flux(s, outer.left))
