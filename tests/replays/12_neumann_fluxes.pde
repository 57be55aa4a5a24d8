# FEniCS Q&A 7362: Neumann data alone, flux 1 to the right and -1 to the left, u = x - 1/2; a script reported 1e-15 for all sides.
geometry square = rectangle(x: 0..1, y: 0..1)
pde p on square {
  unknown u : scalar P1
  -lap(u) == 0
  on left: dot(grad(u), n) == -1
  on right: dot(grad(u), n) == 1
  on top, bottom: dot(grad(u), n) == 0
  mean(u) == 0
}
s = solve(p, mesh(square, h: 0.1))
assert norm(s.u - (x - 0.5), Linf) < 1e-11
print("ok u = x - 1/2")
for (q, expected, side) in [(flux(s, left), -1, "left"), (flux(s, right), 1, "right"), (flux(s, top), 0, "top"), (flux(s, bottom), 0, "bottom")] {
  assert abs(q - expected) < 1e-11, f"{side}: {q}"
  print(f"ok flux {expected} on {side}")
}
