# Unknowns that jump where two regions meet: the flux through the interface as a function of the jump.
import "orders"
param R = 0.5
geometry two {
  shape = rectangle(x: 0..2, y: 0..1)
  region a = where x < 1
  region b = where x > 1
}
field k { on a: 1; on b: 3 }
# k dT/dx is cos(y) on either side of x = 1, and T jumps by -R cos(y)
field T_exact { on a: cos(y)*(1 + x); on b: cos(y)*(2 + R + (x - 1)/3) }
fn source() = cos(y)
pde resistance1 on two {
  unknown T : scalar P1
  field f { on a: cos(y)*(1 + x); on b: 3*cos(y)*(2 + R + (x - 1)/3) }
  -div(k*grad(T)) == f
  on all: T == T_exact
  on interface(a, b): dot(k*grad(T), n) == -jump(T)/R
}
pde resistance2 on two {
  unknown T : scalar P2
  field f { on a: cos(y)*(1 + x); on b: 3*cos(y)*(2 + R + (x - 1)/3) }
  -div(k*grad(T)) == f
  on all: T == T_exact
  on interface(b, a): jump(T) == -R*dot(k*grad(T), n)
}
expect(refine(resistance1, exact: (T: T_exact), cells: [8, 16, 32]), 2, 1, "contact resistance, P1")
expect(refine(resistance2, exact: (T: T_exact), cells: [4, 8, 16]), 3, 2, "contact resistance, P2")
s = solve(resistance2, mesh(two, cells: [8, 4]))
assert abs(flux(s.T, interface(a, b)) - sin(1)) < 2e-3, f"the flux through the interface: {flux(s.T, interface(a, b))}, {sin(1)}"
assert abs(flux(s.T, interface(a, b)) + flux(s.T, interface(b, a))) < 1e-3, "what leaves one side enters the other"

# A round inclusion that heat enters through a film: linear inside, x + B x/r^2 outside (Hasselman and Johnson, J. Compos. Mater. 21 (1987) 508, in the plane).
geometry round {
  shell = annulus(inner: 1, outer: 3)
  core  = disk(radius: 1)
  shape = shell + core
}
pde inclusion(film = 0.7, ki = 5.0) on round {
  unknown T : scalar P1
  field k { on core: ki; on shell: 1 }
  div(k*grad(T)) == 0
  on outer: T == x*(1 + (1 - 2*ki/(1 + ki + film*ki))/9)
  on interface(core, shell): jump(T) == -film*dot(k*grad(T), n)
}
A = 2/(1 + 5 + 0.7*5)
field around { on core: A*x; on shell: x + (1 - 5*A)*x/(x^2 + y^2) }
c = mesh(round, h: 0.4)
expect(refine(inclusion, exact: (T: around), mesh: c, levels: 4), 2, 1, "a film around a disk")
sc = solve(inclusion, refined(refined(c)))
assert abs(sc.T(0.5, 0.2) - A/2) < 2e-3*A, "inside of the disk"

# A bonded joint: traction by the jump of the displacement; a bar in tension, and its mirror image.
geometry bar {
  shape = rectangle(x: 0..2, y: 0..0.5)
  region first = where x < 1
  region second = where x > 1
}
pde joint(K = 4.0) on bar {
  unknown u : vector P2
  field sigma = 2*eps(u)
  div(sigma) == 0
  on left { u.x == 0; dot(sigma, n).y == 0 }
  on right: dot(sigma, n) == (1, 0)
  on point (0, 0): u.y == 0
  on interface(first, second): dot(sigma, n) == -K*jump(u)
  on others: dot(sigma, n) == 0
}
j = solve(joint, mesh(bar, cells: [4, 2]))
assert abs(j.u(2, 0.25)[0] - (1 + 0.25)) < 1e-9, f"two bars and a spring: {j.u(2, 0.25)[0]}"

# Radiation across a gap: nonlinear in both values; in time.
geometry wall {
  shape = interval(0, 2)
  region hot = where x < 1
  region cold = where x > 1
}
field ours(T) = avg(T) + jump(T)/2
field theirs(T) = avg(T) - jump(T)/2
pde gap on wall {
  unknown T : scalar P2
  div(grad(T)) == 0
  on left: T == 2
  on right: T == 0.5
  on interface(hot, cold): dot(grad(T), n) == -0.1*(ours(T)^4 - theirs(T)^4)
}
g = solve(gap, mesh(wall, cells: [8]))
q = flux(g.T, left)
assert abs(q - 0.1*((2 - q)^4 - (0.5 + q)^4)) < 1e-9, f"radiation across a gap: {q}"
pde cooling on wall {
  unknown T : scalar P1
  dt(T) == lap(T)
  on all: dot(grad(T), n) == 0
  on interface(hot, cold): dot(grad(T), n) == -0.5*jump(T)
  field start { on hot: 1; on cold: 0 }
  initially: T == start
}
w = solve(cooling, mesh(wall, cells: [20]), time: 0..8, step: 0.02)
assert abs(integral(w.T) - 1) < 1e-9 and abs(w.T(0.5) - w.T(1.5)) < 0.02, "what cools one half warms the other"
print("ok joints, gaps and what goes through them")
