# Underworld3 #410: the boundary value t arrived as -1.8e308.
geometry square = rectangle(x: 0..1, y: 0..1)
pde p on square { unknown u : scalar P1; dt(u) == lap(u); on left: u == t; on others: dot(grad(u), n) == 0; initially: u == 0 }
s = solve(p, mesh(square, cells: [4, 4]), time: 0..1, step: 0.1)
for j in 0..10 {
  e = s.u at 0.1*j
  assert abs(e(0, 0.4) - 0.1*j) < 1e-14, f"{e(0, 0.4)}"
}
assert 0 <= min(s.u) and max(s.u) <= 1
print("ok the value on the side is the time")
