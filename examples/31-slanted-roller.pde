# A block on an inclined plane, guided by rollers.
#
# Shows: dot(u, n) == 0 on sides that are not along the axes, reactions.
# Comes out: the block is turned by 30 degrees and pressed along its length; it shortens as if it lay straight, and the rollers carry no force along
# the plane.

c = cos(pi/6); s = sin(pi/6)
geometry block {
  shape = polygon([(0, 0), (2*c, 2*s), (2*c - s, 2*s + c), (-s, c)])
  boundary plane = side1
  boundary front = side2
  boundary top = side3
  boundary stop = side4
}
E = 2.0; nu = 0.3; pressure = 0.1

pde pressed on block {
  unknown u : vector P2
  field sigma = E/(1 + nu)*eps(u) + E*nu/(1 - nu^2)*tr(eps(u))*I
  div(sigma) == 0
  on plane, stop: dot(u, n) == 0
  on front: dot(sigma, n) == -pressure*n
  on top: dot(sigma, n) == 0
}

sol = solve(pressed, mesh(block, h: 0.25))
field exact = -pressure/E*(c*x + s*y)*(c, s) + nu*pressure/E*(c*y - s*x)*(-s, c)
tip = sol.u(2*c, 2*s)
print(f"shortened by {-tip[0]*c - tip[1]*s:.6f}, straight it would be {2*pressure/E:.6f}")
assert norm(sol.u - exact) < 1e-12
