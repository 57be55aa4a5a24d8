# from: with the name of a part, which is that of its boundary.
geometry plate {
  a = rectangle(x: 0..1, y: 0..1)
  b = rectangle(x: 1..2, y: 0..1)
  shape = a + b
}
pde heat on plate {
  unknown T : scalar P1
  lap(T) == 0
  on all: T == x
}
sol = solve(heat, mesh(plate, h: 0.3))
print(dx(sol.T)(1, 0.5, from: a))
