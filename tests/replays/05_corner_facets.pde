# turtleFSI #113, #56: a facet counts as part of a boundary when all its vertices fulfil the predicate, and a corner then
# catches wrong ones; a wall at y = 0.21 was missed by rounding.
geometry square {
  body = rectangle(x: 0..1, y: 0..1)
  shape = body
  boundary three = where x == 0 or x == 1 or y == 0
}
m = mesh(square, cells: [2, 2])
one = project((u: 1), m)
v = integral(one.u, on: three)
assert abs(v - 3) < 1e-14, f"{v}"
print("ok three sides of a 2 x 2 mesh: six facets, not seven")
geometry channel {
  body = rectangle(x: 0..0.6, y: 0.1 + 0.11 .. 0.42 - 0.21 + 0.2)
  shape = body
  boundary wall = where y == 0.21
}
for (m, kind) in [(mesh(channel, h: 0.03), "unstructured"), (mesh(channel, cells: [7, 3]), "structured")] {
  one = project((u: 1), m)
  v = integral(one.u, on: wall)
  assert abs(v - 0.6) < 1e-13, f"{v}"
  print(f"ok a wall that rounding has moved, {kind}")
}
