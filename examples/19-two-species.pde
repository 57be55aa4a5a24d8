# Two species that turn into each other and diffuse: A <-> B.
#
# Shows: a coupled transient system, conservation of the total, equilibrium.
# Comes out: A and B together stay 0.5 to round-off; after a long time B/A is the ratio of the rates, 3.

geometry dish = rectangle(x: 0..1, y: 0..1)
pde reaction(forward = 3.0, backward = 1.0) on dish {
  unknown a : scalar P1
  unknown b : scalar P1
  field rate = forward*a - backward*b
  equation a: dt(a) == 0.05*lap(a) - rate
  equation b: dt(b) == 0.02*lap(b) + rate
  on all: dot(0.05*grad(a), n) == 0
  on all: dot(0.02*grad(b), n) == 0
  initially: a == if x < 0.5 then 1 else 0
  initially: b == 0
}

sol = solve(reaction, mesh(dish, cells: [16, 16]), time: 0..4, step: 0.05, scheme: bdf2)
total = history(integral(sol.a + sol.b))
print(f"total {min(total):.10f} to {max(total):.10f}")
print(f"B/A at the end {integral(sol.b)/integral(sol.a):.6f}")
assert max(total) - min(total) < 1e-10 and abs(integral(sol.b)/integral(sol.a) - 3) < 1e-3
check sol against positivity(sol, a), positivity(sol, b)
plot(history(integral(sol.a)), "a.png")
