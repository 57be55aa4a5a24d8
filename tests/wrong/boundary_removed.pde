# The part that is cut off takes the whole left side away: `outer.left` has nothing left.
geometry g {
  outer = rectangle(x: 0..1, y: 0..1)
  cut = rectangle(x: 0..0.5, y: 0..1)
  shape = outer - cut
}
pde heat on g {
  unknown T : scalar P1
  -lap(T) == 1
  on outer.left: T == 0
  on others: dot(grad(T), n) == 0
}
sol = solve(heat, mesh(g, h: 0.1))
print(max(sol.T))
