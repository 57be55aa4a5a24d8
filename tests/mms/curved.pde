# Curved cells: degree 2 and 3 lose no order on disks, annuli, balls; measures converge with the fourth order of the quadratic boundary.
import "orders"
geometry disc = disk(center: (0.1, 0.2), radius: 1.1)
geometry ring = annulus(center: (0, 0), inner: 0.4, outer: 1)
geometry ball = sphere(center: (0, 0, 0), radius: 1)
field w = sin(2*x + y)*exp(0.5*y)
field w3 = sin(x + y)*exp(0.5*z)
field v = (sin(2*x)*y, cos(x + 2*y))
fn stress(u) = 2*tr(eps(u))*I + 2*(1 + 0.3*x)*eps(u)

pde disc1 on disc { unknown u : scalar P1; -lap(u) == -lap(w); on all: u == w }
pde disc2 on disc { unknown u : scalar P2; -lap(u) == -lap(w); on all: u == w }
pde ring2(k = 1 + x^2) on ring {
  unknown u : scalar P2
  -div(k*grad(u)) + u == -div(k*grad(w)) + w
  on outer: dot(k*grad(u), n) == dot(k*grad(w), n)
  on inner: u == w
}
pde elastic2 on ring {
  unknown u : vector P2
  -div(stress(u)) == -div(stress(v))
  on outer: dot(stress(u), n) == dot(stress(v), n)
  on inner: u == v
}
pde ball2 on ball { unknown u : scalar P2; -lap(u) + u == -lap(w3) + w3; on surface: dot(grad(u), n) == dot(grad(w3), n) }

expect(refine(disc1, exact: (u: w), mesh: mesh(disc, h: 0.5), levels: 4), 2, 1, "disk, P1")
expect(refine(disc2, exact: (u: w), mesh: mesh(disc, h: 0.5), levels: 4), 3, 2, "disk, P2")
expect(refine(ring2, exact: (u: w), mesh: mesh(ring, h: 0.4), levels: 4), 3, 2, "annulus with a flux, P2")
expect(refine(elastic2, exact: (u: v), mesh: mesh(ring, h: 0.4), levels: 4), 3, 2, "annulus, elasticity, P2")
expect(refine(ball2, exact: (u: w3), mesh: mesh(ball, h: 0.7), levels: 3), 3, 2, "ball with a flux, P2")

# areas, volumes, boundaries: by measures, and by fluxes through the whole
pde drain on disc { unknown u : scalar P2; -lap(u) == 1; on all: u == 0 }
fn order(coarse, fine) = log(abs(coarse/fine))/log(2)
d = mesh(disc, h: 0.3)
fine = refined(d)
A = pi*1.1^2
a = order(integral(1, on: d) - A, integral(1, on: fine) - A)
f = order(flux(solve(drain, d).u, rim) + A, flux(solve(drain, fine).u, rim) + A)
b = mesh(ball, h: 0.5)
v = order(integral(1, on: b) - 4/3*pi, integral(1, on: refined(b)) - 4/3*pi)
print(f"ok orders of area {a:.2f}, flux {f:.2f}, volume {v:.2f}")
assert min(a, f, v) > 3.8, "a quadratic boundary has the fourth order"

# a border between regions, of a part and of `where`: a jump of the coefficient, u' = -r^2/(3k) on both sides of r = 0.5
geometry core {
  outer = disk(center: (0, 0), radius: 1)
  inner = disk(center: (0, 0), radius: 0.5)
  shape = outer + inner
}
geometry cored {
  shape = disk(center: (0, 0), radius: 1)
  region inner = where x^2 + y^2 < 0.25
}
geometry shells {
  shape = sphere(center: (0, 0, 0), radius: 1)
  region inner = where x^2 + y^2 + z^2 < 0.25
}
field r = sqrt(x^2 + y^2)
field k { on inner: 5; on others: 1 }
field exact { on inner: (0.125 - r^3)/45 + 0.875/9; on others: (1 - r^3)/9 }
pde one on core { unknown u : scalar P2; -div(k*grad(u)) == r; on all: u == 0 }
pde other on cored { unknown u : scalar P2; -div(k*grad(u)) == r; on all: u == 0 }
pde quads on cored { unknown u : scalar Q2; -div(k*grad(u)) == r; on all: u == 0 }
expect(refine(one, exact: (u: exact), mesh: mesh(core, h: 0.25), levels: 4), 3, 2, "a curved border of a part, P2")
expect(refine(other, exact: (u: exact), mesh: mesh(cored, h: 0.25), levels: 4), 3, 2, "a curved border of `where`, P2")
expect(refine(quads, exact: (u: exact), mesh: mesh(cored, h: 0.25, kind: quad), levels: 4), 3, 2, "a curved border of quadrilaterals, Q2")
c = mesh(cored, h: 0.25); e = refined(mesh(shells, h: 0.4))
a2 = order(integral(1, on: c.inner) - pi/4, integral(1, on: refined(c).inner) - pi/4)
print(f"ok order of the area inside {a2:.2f}")
assert a2 > 3.8, "the border is quadratic"
assert abs(integral(1, on: e.inner) - pi/6) < 1e-3*pi/6, "a sphere inside of a sphere"
