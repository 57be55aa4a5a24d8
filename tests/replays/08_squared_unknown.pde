# Newton's matrix of div(grad(u^2)) is singular at u = 0: the residual was NaN from the first step, and fifty steps followed.
geometry line = interval(0, 1)
geometry square = rectangle(x: 0..1, y: 0..1)
pde flat on line { unknown u : scalar P1; div(grad(u^2)) == 0; on left, right: u == 1 }
pde ramp on line { unknown u : scalar P2; div(grad(u^2)) == 0; on left: u == 1; on right: u == 3 }
pde plane on square {
  unknown u : scalar P2
  div(grad(u^2)) == 0
  on left: u == 1; on right: u == 3
  on others: dot(grad(u^2), n) == 0
}
s = solve(flat, mesh(line, cells: [10]))
assert norm(s.u - 1, Linf) < 1e-9, f"{norm(s.u - 1, Linf)}"
print("ok u = 1")
s = solve(ramp, mesh(line, cells: [40]))
assert norm(s.u - sqrt(1 + 8*x)) < 1e-4, f"{norm(s.u - sqrt(1 + 8*x))}"
print("ok sqrt(1 + 8 x)")
s = solve(plane, mesh(square, cells: [16, 16]))
assert norm(s.u - sqrt(1 + 8*x)) < 1e-3, f"{norm(s.u - sqrt(1 + 8*x))}"
print("ok sqrt(1 + 8 x) on a square")
