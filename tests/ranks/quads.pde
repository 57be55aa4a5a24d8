# Quadrilaterals and hexahedra, straight, skew and curved.
geometry plate = rectangle(x: 0..1.2, y: 0..0.9)
geometry block = box(x: 0..1, y: 0..0.9, z: 0..0.7)
grid = mesh(plate, cells: [8, 6], kind: quad)
boxes = mesh(block, cells: [4, 4, 3], kind: hex)
quads = import_mesh("../data/skew_quads.msh")
skew = refined(quads)
bricks = import_mesh("../data/skew_hexes.msh")
circles = import_mesh("../data/ring_q9.msh")
ring = refined(circles)
tube = import_mesh("../data/tube_h27.msh")
field f = sin(3*x + y)
print(f"area of the skew = {integral(1 + f, on: skew):.15e}")
print(f"volume of the bricks = {integral(1 + f, on: bricks):.15e}")
print(f"area of the ring = {integral(1 + f, on: ring):.15e}")
pde p1 on plate { unknown u : scalar; -lap(u) + u == f; on left: u == 1; on others: dot(grad(u), n) == 0 }
pde p2 on quads { unknown u : scalar Q2; -div((1 + x)*grad(u)) == f; on left: u == y; on right: dot((1 + x)*grad(u), n) == 2 - u; on others: dot((1 + x)*grad(u), n) == 0 }
pde p3 on block { unknown u : scalar Q2; -lap(u) == f; on x_min: u == y; on others: dot(grad(u), n) == 0 }
pde p4 on bricks { unknown u : vector Q1; -div(2*eps(u) + tr(eps(u))*I) == (f, 0, 1); on left: u == 0; on others: dot(2*eps(u) + tr(eps(u))*I, n) == 0 }
pde p5 on circles { unknown u : scalar Q2; dt(u) == lap(u) + f; on inner: u == 0; on others: dot(grad(u), n) == 0; initially: u == x*y }
pde p6 on tube { unknown u : scalar Q2; -lap(u) == f; on inner: u == 0; on others: dot(grad(u), n) == 0 }
s1 = solve(p1, grid); s2 = solve(p2, skew); s3 = solve(p3, boxes); s4 = solve(p4, bricks); s6 = solve(p6, tube)
s5 = solve(p5, ring, time: 0..0.1, step: 0.02)
print(f"Q1 on a grid ~ {norm(s1.u, H1):.15e}")
print(f"Q2, skew ~ {norm(s2.u, H1):.15e}")
print(f"its flux ~ {flux(s2.u, left):.15e}")
print(f"Q2 on boxes ~ {norm(s3.u, H1):.15e}")
print(f"elastic, skew hexahedra ~ {norm(s4.u, H1):.15e}")
print(f"in time on a ring ~ {norm(s5.u, H1):.15e}")
print(f"its flux ~ {flux(s5.u, inner):.15e}")
print(f"Q2 in a tube ~ {norm(s6.u, H1):.15e}")
print(f"its flux ~ {flux(s6.u, inner):.15e}")
print(f"at a point ~ {s2.u(0.43, 0.31):.15e}")
print(f"at a point of the bricks ~ {s4.u(0.43, 0.31, 0.2).x:.15e}")
print(f"largest ~ {max(s6.u):.15e}")
