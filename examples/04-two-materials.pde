# A wall of brick and foam with a heater on a part of its side.
#
# Shows: named regions and boundaries by a condition, coefficients region by region, the flux through an interface.
# Comes out: all that the heater and the source give, 15 + 1.5, crosses the interface: -16.5 (n from brick to foam, k grad T).

geometry wall {
  body  = rectangle(x: 0..1, y: 0..0.5)
  shape = body
  region brick = where x < 0.3
  region foam  = where x >= 0.3
  boundary heater = where x == 0 and 0.1 < y < 0.4
}
field k { on brick: 0.8; on foam: 0.04 }
field q { on brick: 10; on others: 0 }

pde steady on wall {
  unknown T : scalar P1
  -div(k*grad(T)) == q
  on heater: dot(k*grad(T), n) == 50
  on body.right: T == 0
  on others: dot(k*grad(T), n) == 0
}

sol = solve(steady, mesh(wall, h: 0.02))
through = flux(sol, interface(brick, foam))
print(f"through the interface {through:.6f}, out on the right {flux(sol, body.right):.6f}")
print(f"mean of the brick {mean(sol.T, on: brick):.2f}, of the foam {mean(sol.T, on: foam):.2f}")
assert abs(through + 16.5) < 1e-6
check sol against balance(sol), maximum_principle(sol)
plot(sol.T, "wall.png", contours: 10)
