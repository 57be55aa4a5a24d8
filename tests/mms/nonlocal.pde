# Integrals of unknowns inside the equations: orders, Newton's steps, schemes in time, boundary conditions, weak forms; what they fix.
import "orders"
geometry line = interval(0, 1)
geometry plate = polygon([(0, 0), (1.2, 0.1), (1.4, 0.8), (0.6, 1.1), (0.1, 0.7)])
geometry square = rectangle(x: 0..1, y: 0..1)
l = mesh(line, cells: [8])

# A linear source by the whole, exactly sin(pi x).
pde whole(c = 3.0) on line {
  unknown u : scalar P2
  -lap(u) + c*integral(u) == pi^2*sin(pi*x) + c*2/pi
  on all: u == 0
}
expect(refine(whole, exact: (u: sin(pi*x)), mesh: l, levels: 4), 3, 2, "a linear nonlocal term")
s = solve(whole, l, c: 7)
assert abs(integral(s.u) - 2/pi) < 1e-4

# Kirchhoff's string (1876): the tension grows with the length. One Newton step after the other, quadratically.
pde string(a = 0.8) on line {
  unknown u : scalar P2
  -(1 + a*integral(dot(grad(u), grad(u))))*lap(u) == (1 + a*pi^2/2)*pi^2*sin(pi*x)
  on all: u == 0
}
expect(refine(string, exact: (u: sin(pi*x)), mesh: l, levels: 4), 3, 2, "Kirchhoff's string")
s = solve(string, l, max_newton: 8)
print("ok Newton's method takes at most 8 steps")

# Two unknowns in space, each driven by the mean of the other, one of them by a nonlinear integral on a side.
field a = sin(x + y)
field b = exp(x - y)
m = mesh(plate, h: 0.3)
mean_b = mean(b, on: mesh(plate, h: 0.02))
side_a = integral(a^2, on: refined(mesh(plate, h: 0.05)))
pde pair on plate {
  unknown u, v : scalar P2
  equation u: -lap(u) + u*mean(v) == -lap(a) + a*mean_b
  equation v: -lap(v) + integral(u^2)*v == -lap(b) + side_a*b
  on side1 { dot(grad(u), n) == dot(grad(a), n) + mean(v) - mean_b; v == b }
  on others { u == a; v == b }
}
r = refine(pair, exact: (u: a, v: b), mesh: m, levels: 3)
assert abs(r.order_L2_u[-1] - 3) < 0.15 and abs(r.order_L2_v[-1] - 3) < 0.15, f"orders {r.order_L2_u[-1]:.3f} {r.order_L2_v[-1]:.3f}"
print(f"ok two unknowns and a boundary condition: orders {r.order_L2_u[-1]:.2f} {r.order_L2_v[-1]:.2f} in L2")

# In time: the order of every scheme stays, where the integral is linear and where it is not.
field w = (1 + x^2)*cos(3*t) + exp(-t)*x
field mass = 4/3*cos(3*t) + exp(-t)/2
pde heat on line {
  unknown u : scalar P2
  dt(u) == lap(u) - 5*integral(u) + dt(w) - lap(w) + 5*mass
  on left: u == w
  on right: dot(grad(u), n) == dot(grad(w), n)
  initially: u == w
}
pde fading on line {
  unknown u : scalar P2
  dt(u) == lap(u) - integral(u)*u + dt(w) - lap(w) + mass*w
  on left: u == w
  on right: dot(grad(u), n) == dot(grad(w), n)
  initially: u == w
}
for p in [heat, fading] {
  for (scheme, order) in [("backward_euler", 1), ("bdf2", 2), ("crank_nicolson", 2), ("generalized_alpha", 2)] {
    coarse = norm(solve(p, l, time: 0..1, step: 0.01, scheme: scheme, keep: last).u - w)
    fine = norm(solve(p, l, time: 0..1, step: 0.005, scheme: scheme, keep: last).u - w)
    assert abs(log(coarse/fine)/log(2) - order) < 0.15, f"{scheme}: order {log(coarse/fine)/log(2):.3f}"
    print(f"ok {scheme} with an integral: order {log(coarse/fine)/log(2):.2f}")
  }
}

# As a weak form, with an integral as a factor of one.
pde weakly on line {
  unknown u : scalar P2
  weak v: integral(dot(grad(u), grad(v))) + 3*integral(u)*integral(v) == integral((pi^2*sin(pi*x) + 6/pi)*v)
  on all: u == 0
}
assert norm(solve(weakly, l).u - solve(whole, l).u) < 1e-9, "the weak form has another solution"
print("ok weak form")

# The mean in the equation fixes the constant that insulated sides leave open; of a known field it balances the source.
pde kept on square {
  unknown u : scalar P2
  -lap(u) + mean(u) == 2 + cos(pi*x)
  on all: dot(grad(u), n) == 0
}
s = solve(kept, mesh(square, cells: [16, 16]))
assert abs(mean(s.u) - 2) < 1e-9 and norm(s.u - 2 - cos(pi*x)/pi^2) < 1e-4, "the mean is not kept"
pde balanced on square {
  unknown u : scalar P2
  -lap(u) == x^2 - mean(x^2)
  on all: dot(grad(u), n) == 0
  mean(u) == 0
}
s = solve(balanced, mesh(square, cells: [16, 16]))
assert abs(flux(s.u, all)) < 1e-10 and norm(s.u - (x^2/6 - x^4/12 - 7/180)) < 1e-4, "a mean of known data"
print("ok means fix constants and balance data")

# Contracts know the numbers: residual and balance hold; a maximum principle does not, and is skipped.
pde plain on line {
  unknown u : scalar P2
  -lap(u) + 3*integral(u) == 1
  on all: u == 0
}
s = solve(plain, l)
v = check s against residual(s), balance(s), maximum_principle(s)
assert v.passed, "contracts over a nonlocal equation"
print("ok contracts")

# Inside another integral, and with conditions that tie dofs together.
pde nested on square {
  unknown u : scalar P2
  -lap(u) + integral(u*integral(u)) == cos(2*pi*x)*4*pi^2 + 1
  periodic left to right
  on bottom, top: dot(grad(u), n) == 0
  initially: u == 0.7
}
s = solve(nested, mesh(square, cells: [16, 16]))
assert abs(integral(s.u)^2 - 1) < 1e-7, f"the integral is {integral(s.u)}"
print("ok an integral inside another, periodic sides")
