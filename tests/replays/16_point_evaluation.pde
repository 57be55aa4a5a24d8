# Underworld3 #432: values at midpoints of edges were wrong at a few of thousands of points. Vertices, edges and faces of a
# structured box, where such points lie on several cells, and a random walk over an unstructured one.
geometry block = box(x: 0..1, y: 0..1, z: 0..1)
field f = 1 + 2*x - 3*y + 0.5*z
m = mesh(block, cells: [4, 3, 5])
s = project((u: f), m)
count = 0
for i in 0..8 { for j in 0..6 { for k in 0..10 {
  px = i/8; py = j/6; pz = k/10
  v = s.u(px, py, pz)
  assert abs(v - (1 + 2*px - 3*py + 0.5*pz)) < 1e-13, f"{v} at {(px, py, pz)}"
  count = count + 1
} } }
print(f"ok {count} vertices and midpoints of a structured box")
s = project((u: f), mesh(block, h: 0.25))
a = 0.5; b = 0.3; c = 0.7
for k in 1..2000 {
  a = mod(a*997.31 + 0.123, 1); b = mod(b*613.17 + 0.457, 1); c = mod(c*871.93 + 0.789, 1)
  v = s.u(a, b, c)
  assert abs(v - (1 + 2*a - 3*b + 0.5*c)) < 1e-13, f"{v} at {(a, b, c)}"
  if mod(k, 4) == 0 { w = s.u(a, 0, c); assert abs(w - (1 + 2*a + 0.5*c)) < 1e-13 }
}
print("ok 2000 points of an unstructured box, and of a face")
