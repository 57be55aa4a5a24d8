# MethodOfLines #281: u_t = r^-2 (r^2 u_r)_r, u = exp(-t) sin(r)/r, 32 cells. The weight r^2 multiplies the equation: nothing is
# divided by r = 0.
geometry radius = interval(0, 1)
pde sphere on radius {
  unknown u : scalar P2
  x^2*dt(u) == dx(x^2*dx(u))
  on right: u == exp(-t)*sin(1)
  on left: dot(x^2*grad(u), n) == 0
  initially: u == if x > 0 then sin(x)/x else 1
}
s = solve(sphere, mesh(radius, cells: [32]), time: 0..1, step: 0.01, scheme: crank_nicolson)
worst = 0
for j in 1..32 { worst = max(worst, abs(s.u(j/32) - exp(-1)*sin(j/32)/(j/32))) }
assert worst < 1e-4 and abs(s.u(0) - exp(-1)) < 1e-4, f"{worst} {s.u(0) - exp(-1)}"
print("ok within 1e-4 everywhere")
