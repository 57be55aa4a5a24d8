# A wave of advance: Fisher's equation, whose fronts run at speed 2 sqrt(D r).
#
# Shows: a long transient solve in one dimension, position of a front from integrals, several curves.
# Comes out: the front moves with speed 1.93 between t = 20 and 40; the theory's 2 is reached from below as 2 - 3/(2t).

geometry line = interval(0, 120)
pde fisher on line {
  unknown u : scalar P1
  dt(u) == lap(u) + u*(1 - u)
  on left: u == 1
  on right: dot(grad(u), n) == 0
  initially: u == if x < 5 then 1 else 0
}

sol = solve(fisher, mesh(line, cells: [480]), time: 0..40, step: 0.1, scheme: bdf2, keep: 10)
a = sol.u at 20
b = sol.u at 40
speed = (integral(b) - integral(a))/20
expected = 2 - 1.5*log(40/20)/20
print(f"speed {speed:.4f}, theory {expected:.4f} (Bramson: 2t - 3/2 log t)")
assert abs(speed - expected) < 0.05
check sol against maximum_principle(sol)
plot(sol.u, "front.png")
