# Conditions and constraints: means, integrals, points, rollers, reactions, Neumann data alone.
geometry square = rectangle(x: 0..1, y: 0..1)
geometry beam = rectangle(x: 0..4, y: 0..1)
geometry block = box(x: 0..2, y: 0..1, z: 0..1)
field w = cos(pi*x)*cos(2*pi*y)
fn stress(u) = 1.5*tr(eps(u))*I + 2*eps(u)

fn near(a, b, tol, what) {
  assert abs(a - b) <= tol, f"{what}: {a} and {b} differ by {abs(a - b):.2e}"
  print(f"ok {what}")
}
fn small(v, tol, what) { near(v, 0, tol, what) }

## Neumann data alone; the mean fixes the constant. The linear field is held exactly.
pde floating on square {
  unknown u : scalar P1
  -lap(u) == 0
  on left: dot(grad(u), n) == -1
  on right: dot(grad(u), n) == 1
  on others: dot(grad(u), n) == 0
  mean(u) == 0.25
}
## The same constant fixed by a point, by an integral over a side, by an integral over the square.
pde by_point on square {
  unknown u : scalar P2
  -lap(u) == 0
  on point (0, 0): u == 3
  on left: dot(grad(u), n) == -1
  on right: dot(grad(u), n) == 1
  on others: dot(grad(u), n) == 0
}
pde by_side on square {
  unknown u : scalar P2
  -lap(u) == 0
  on left: dot(grad(u), n) == -1
  on right: dot(grad(u), n) == 1
  on others: dot(grad(u), n) == 0
  integral(u, on: right) == 7
}
## A source that balances to what the quadrature leaves.
pde pushed on square {
  unknown u : scalar P2
  -lap(u) == 5*pi^2*w
  on all: dot(grad(u), n) == 0
  mean(u) == 0
}
## An integral of a problem that is well posed without it: the constant source that reaches it.
pde steered on square {
  unknown u : scalar P2
  -lap(u) == 0
  on all: u == 0
  integral(u) == 3
}
m = mesh(square, h: 0.12)
s = solve(floating, m)
small(norm(s.u - (x - 0.25), Linf), 1e-11, "Neumann data alone, mean given")
near(mean(s.u), 0.25, 1e-12, "the mean is met")
small(norm(solve(by_point, m).u - (x + 3), Linf), 1e-11, "a constant fixed at a point")
small(norm(solve(by_side, m).u - (x + 6), Linf), 1e-11, "a constant fixed by an integral over a side")
small(norm(solve(pushed, mesh(square, cells: [24, 24])).u - w), 3e-4, "a source without a mean")
s = solve(steered, m)
near(integral(s.u), 3, 1e-11, "the integral is met")
near(s.u(0.5, 0.5)/3, 0.0736713/0.0351443, 5e-3, "the shape is that of a constant source")

## Rollers: a bar pulled along x contracts freely. u_x = s x/E, u_y = -nu s y/E in plane strain of these coefficients.
pde pulled(load = 0.3) on beam {
  unknown u : vector P2
  -div(stress(u)) == 0
  on left: u.x == 0
  on bottom: u.y == 0
  on right: dot(stress(u), n) == (load, 0)
  on others: dot(stress(u), n) == 0
}
s = solve(pulled, mesh(beam, h: 0.4))
a = 1.5; b = 3.5                      # lambda, lambda + 2 mu
strain = 0.3*b/(b^2 - a^2)
small(norm(s.u - (strain*x, -strain*a/b*y), Linf), 1e-12, "rollers")
(fx, fy) = flux(s.u, left)
near(fx, -0.3, 1e-12, "the reaction is the load")
small(fy, 1e-12, "no reaction across a roller")

## A clamped beam under its weight and a load at its end: the reactions are the loads.
pde clamped on beam {
  unknown u : vector P1
  -div(stress(u)) == (0.1*y, -0.2)
  on left: u == 0
  on right: dot(stress(u), n) == (0, -0.7*y)
  on others: dot(stress(u), n) == 0
}
(rx, ry) = flux(solve(clamped, mesh(beam, h: 0.25)).u, left)
near(rx, -0.1*2, 1e-11, "horizontal reaction")
near(ry, 0.2*4 + 0.35, 1e-11, "vertical reaction")
pde clamped3 on block {
  unknown u : vector P1
  -div(stress(u)) == (0, x, -1)
  on x_min: u == 0
  on z_max: dot(stress(u), n) == (0.5, 0, 0)
  on others: dot(stress(u), n) == 0
}
(rx, ry, rz) = flux(solve(clamped3, mesh(block, h: 0.4), rtol: 1e-12).u, x_min)
near(rx, -1, 1e-10, "reaction along x in 3D")
near(ry, -2, 1e-10, "reaction along y in 3D")
near(rz, 2, 1e-10, "reaction along z in 3D")
