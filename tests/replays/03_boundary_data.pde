# Gridap #673: boundary data whose formula holds on the boundary alone were evaluated inside of the touching cells.
geometry disc = disk(center: (0, 0), radius: 1)
geometry square = rectangle(x: 0..1, y: 0..1)
pde root on square {
  unknown u : scalar P2
  -lap(u) == 1
  on left: u == sqrt(-x)                        # NaN one step away from the side
  on right: dot(grad(u), n) == log(1e-300 + sqrt(x - 1))*0
  on bottom: u == 1/(1 + 1e20*abs(y)) - 1
  on top: dot(grad(u), n) == asin(y) - pi/2
}
s = solve(root, mesh(square, cells: [6, 6]))
assert s.u(0, 0.5) == 0 and s.u(0.37, 0) == 0
print("ok data with a domain of their own, flat sides")
pde ring on disc {
  unknown u : scalar P2
  -lap(u) == 0
  on rim: u == log(hypot(x, y))                 # -inf at the centre
}
s = solve(ring, mesh(disc, h: 0.5))
assert norm(s.u, Linf) < 0.05, f"{norm(s.u, Linf)}"
print("ok data with a pole inside, curved side")
