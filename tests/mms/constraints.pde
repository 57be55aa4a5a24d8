# Affine constraints: periodic sides, and normal and tangential parts on slanted and curved ones. Patch tests to 1e-12, orders, balances.
import "orders"
geometry square = rectangle(x: 0..1, y: 0..1)
geometry cube = box(x: 0..1, y: 0..1, z: 0..1)
geometry line = interval(0, 1)
fn close(value, exact, tol, what) {
  assert abs(value - exact) <= tol, f"{what}: {value:.15e}, expected {exact:.15e}"
  print(f"ok {what}: off by {abs(value - exact):.1e}")
}
fn small(value, tol, what) { close(value, 0, tol, what) }

# --- periodic ---
fn wave() = sin(2*pi*x + 1)*sin(pi*y)
fn both() = sin(2*pi*x + 1)*cos(2*pi*y)
pde strip1 on square {
  unknown u : scalar P1
  -lap(u) == 5*pi^2*wave()
  periodic left to right
  on bottom, top: u == 0
}
pde strip2 on square {
  unknown u : scalar P2
  -lap(u) == 5*pi^2*wave()
  periodic left to right
  on bottom, top: u == 0
}
pde torus on square {                  # a constant is free
  unknown u : scalar P2
  -lap(u) == 8*pi^2*both()
  periodic left to right
  periodic bottom to top
  mean(u) == 0
}
pde ring on line {                     # not symmetric, nonlinear
  unknown u : scalar P2
  field e = 2 + sin(2*pi*x)
  -dx((1 + u^2)*dx(u)) + 3*dx(u) + u == -dx((1 + e^2)*dx(e)) + 3*dx(e) + e
  periodic left to right
}
pde carried on square {                # a profile that comes round again
  unknown u : scalar P2
  dt(u) + dx(u) == 0.01*lap(u)
  periodic left to right
  on bottom, top: dot(grad(u), n) == 0
  initially: u == sin(2*pi*x)
}
fn decayed() = exp(-0.01*4*pi^2)*sin(2*pi*x)
pde cells on cube {                    # three pairs: all corners are one dof; a vector
  unknown u : vector P1
  -div(eps(u)) + u == (sin(2*pi*x), 0, cos(2*pi*z))*0 + (cos(2*pi*x)*(1 + 4*pi^2), 0, sin(2*pi*z)*(1 + 4*pi^2))
  periodic x_min to x_max
  periodic y_min to y_max
  periodic z_min to z_max
}
pde flow on square {                   # a channel driven by a force, its pressure free
  unknown u : vector P2
  unknown p : scalar P1
  equation u: -div(grad(u) - p*I) == (1, 0)
  equation p: div(u) == 0
  periodic left to right
  on bottom, top: u == 0
  mean(p) == 0
}
study s1 = refine(strip1, exact: (u: wave()), cells: [8, 16, 32])
expect(s1, 2, 1, "periodic strip, P1")
study s2 = refine(strip2, exact: (u: wave()), cells: [8, 16, 32])
expect(s2, 3, 2, "periodic strip, P2")
study s3 = refine(torus, exact: (u: both()), cells: [8, 16, 32])
expect(s3, 3, 2, "doubly periodic, P2")
study s4 = refine(ring, exact: (u: 2 + sin(2*pi*x)), cells: [10, 20, 40])
expect(s4, 3, 2, "nonlinear on a ring, P2")
s = solve(strip2, mesh(square, cells: [12, 12]))
small(flux(s, all) + integral(5*pi^2*wave(), on: mesh(square, cells: [12, 12])), 1e-10, "balance with periodic sides")
small(s.u(0, 0.3) - s.u(1, 0.3), 1e-14, "periodic values")
g = solve(strip2, mesh(square, h: 0.1))
assert norm(g.u - wave()) < 2e-3, "periodic sides of a mesh by Gmsh"
c = solve(carried, mesh(square, cells: [32, 4]), time: 0..1, step: 0.01, scheme: crank_nicolson)
assert norm(c.u - decayed()) < 2e-3, f"a turn around: {norm(c.u - decayed()):.2e}"
close(integral(c.u), 0, 1e-12, "what a turn conserves")
f = solve(flow, mesh(square, cells: [4, 4]))
small(norm(f.u.x - y*(1 - y)/2) + norm(f.u.y) + norm(f.p), 1e-12, "periodic channel")
e = solve(cells, mesh(cube, cells: [6, 6, 6]))
small(e.u.x(0, 0, 0) - e.u.x(1, 1, 1), 1e-13, "corners of a cell")

# --- slanted rollers: a block turned by 30 degrees under uniaxial stress is found exactly ---
co = cos(pi/6)
si = sin(pi/6)
geometry block {
  shape = polygon([(0, 0), (2*co, 2*si), (2*co - si, 2*si + co), (-si, co)])
  boundary low = side1
  boundary right = side2
  boundary up = side3
  boundary left = side4
}
E = 2.0
nu = 0.3
fn stress(u) = E/(1 + nu)*eps(u) + E*nu/(1 - nu^2)*tr(eps(u))*I
fn turned() = 0.1/E*(co*x + si*y)*(co, si) - nu*0.1/E*(co*y - si*x)*(-si, co)
pde roller1 on block {
  unknown u : vector P1
  -div(stress(u)) == 0
  on low, left: dot(u, n) == 0
  on right: dot(stress(u), n) == 0.1*n
  on up: dot(stress(u), n) == 0
}
pde roller2 on block {
  unknown u : vector P2
  -div(stress(u)) == 0
  on low: dot(u, n) == 0
  on left: dot(n, u) == 0
  on right: dot(u, n) == 0.1*2/E
  on up: dot(stress(u), n) == 0
}
r1 = solve(roller1, mesh(block, h: 0.3))
small(norm(r1.u - turned())/norm(r1.u), 1e-10, "slanted rollers, P1")
small(abs(flux(r1, all)), 1e-10, "balance of reactions on rollers")
small(abs(flux(r1, block.left) + 0.1*(co, si)), 1e-12, "the reaction of a roller, corners by their normals")
small(abs(flux(r1, block.low)), 1e-12, "a roller that carries nothing")
r2 = solve(roller2, mesh(block, h: 0.4))
small(norm(r2.u - turned())/norm(r2.u), 1e-10, "slanted rollers, one of them moved, P2")
pde guided on block {                  # normal and tangential parts are the whole vector
  unknown u : vector P2
  -div(stress(u)) == 0
  on low, left { dot(u, n) == dot(turned(), n); cross(u, n) == cross(turned(), n) }
  on others: dot(stress(u), n) == dot(stress(turned()), n)
}
r3 = solve(guided, mesh(block, h: 0.4))
small(norm(r3.u - turned())/norm(r3.u), 1e-10, "normal and tangential parts together")
fn linear3() = (0.1*x - 0.2*y + 0.4*z, 0.3*x + y, 0.2*z - x + 1)
geometry brick = box(x: 0..1, y: 0..0.8, z: 0..0.6)
pde parts3 on brick {
  unknown u : vector P2
  -div(eps(u)) == 0
  on x_min, z_max, y_max, z_min: dot(u, n) == dot(linear3(), n)
  on y_max, z_min: cross(u, n) == cross(linear3(), n)
  on y_min: u == linear3()
  on x_min, z_max: cross(n, u) == cross(n, linear3())
  on x_max: dot(eps(u), n) == dot(eps(linear3()), n)
}
r4 = solve(parts3, mesh(brick, cells: [3, 3, 2]))
small(norm(r4.u - linear3())/norm(r4.u), 1e-9, "normal and tangential parts in 3D")

# --- a curved side: a disk that turns slides along its rim, its boundary layer converges with the polygon ---
geometry round = disk(center: (0, 0), radius: 1)
pde sliding on round {
  unknown u : vector P1
  -div(eps(u)) + u == (-y, x)
  on rim: dot(u, n) == 0
}
d1 = solve(sliding, mesh(round, h: 0.2))
assert norm(d1.u - (-y, x)) < 1e-2, f"a turning disk: {norm(d1.u - (-y, x)):.2e}"
print(f"ok a turning disk: {norm(d1.u - (-y, x)):.1e}")

# --- a mesh by Gmsh whose sides fit, and sides that a rotation joins ---
pde block3 on cube {
  unknown u : scalar P2
  -lap(u) + u == sin(2*pi*(x + y + z))*(1 + 12*pi^2)
  periodic x_min to x_max
  periodic y_min to y_max
  periodic z_min to z_max
}
b3 = solve(block3, mesh(cube, h: 0.25, periodic: [x_min to x_max, y_min to y_max, z_min to z_max]))
assert norm(b3.u - sin(2*pi*(x + y + z))) < 0.15, "periodic sides of a solid by Gmsh"
geometry quarter {
  ring = annulus(center: (0, 0), inner: 0.5, outer: 1)
  cut = rectangle(x: 0..2, y: 0..2)
  shape = ring & cut
}
pde turning on quarter {
  unknown u : vector P2
  -div(eps(u)) + u == (-y, x)
  on ring.inner, ring.outer: u == (-y, x)
  periodic cut.bottom to cut.left
}
q4 = solve(turning, mesh(quarter, h: 0.2))
small(norm(q4.u - (-y, x)), 1e-12, "a quarter of a ring, vectors turned")

# --- a source on an interface, a value on one; a total flux through an electrode; radiation ---
geometry bar {
  body = interval(0, 1)
  shape = body
  region a = where x < 0.4
  region b = where x >= 0.4
}
field k { on a: 2; on b: 5 }
pde sheet on bar {
  unknown T : scalar P1
  div(k*grad(T)) == 0
  on left, right: T == 0
  on interface(a, b): jump(k*grad(T), n) == 3
}
i1 = solve(sheet, mesh(bar, cells: [10]))
close(i1.T(0.4), 3/(2/0.4 + 5/0.6), 1e-14, "a source on an interface")
close(flux(i1.T, interface(a, b)), 2*i1.T(0.4)/0.4, 1e-13, "flux out of the first region")
close(flux(i1.T, interface(b, a)), 5*i1.T(0.4)/0.6, 1e-13, "flux out of the second region")
pde pinned on bar {
  unknown T : scalar P1
  div(k*grad(T)) == 0
  on left, right: T == 0
  on interface(a, b): T == 1
}
i2 = solve(pinned, mesh(bar, cells: [10]))
close(integral(i2.T), 0.5, 1e-14, "a value on an interface")
pde hot on line {
  unknown T : scalar P1
  div(2*grad(T)) == 0
  on left: T == 1000
  on right: dot(2*grad(T), n) == 10*(300 - T) + 0.8*5.67e-8*(300^4 - T^4)
}
h1 = solve(hot, mesh(line, cells: [5]))
end = h1.T(1)
small((2*(end - 1000) - 10*(300 - end) - 0.8*5.67e-8*(300^4 - end^4))/1000, 1e-9, "convection and radiation")
close(flux(h1.T, right)/1000, 2*(end - 1000)/1000, 1e-9, "flux that convection and radiation take")
pde driven on square {
  unknown u, v : scalar P2
  equation u: -div((1 + u^2)*grad(u)) == v
  equation v: -lap(v) == 1
  mean(u) == 3
  on left: v == 0
  on others: dot((1 + u^2)*grad(u), n) == 0
  on others: dot(grad(v), n) == 0
}
close(mean(solve(driven, mesh(square, cells: [6, 6])).u), 3, 1e-12, "a mean of one of two unknowns, nonlinear")
pde charged on square {
  unknown p : scalar P2
  dt(p) == lap(p)
  on left: p == 0
  on others: dot(grad(p), n) == 0
  integral(p, on: right) == 0.5
  initially: p == 0
}
close(integral(solve(charged, mesh(square, cells: [4, 4]), time: 0..0.5, step: 0.1).p, on: right), 0.5, 1e-12, "an integral over a side, through time")
