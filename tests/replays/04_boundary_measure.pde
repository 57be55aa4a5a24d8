# dolfinx 0.10: the integral of 1 over a name depended on whether facets between cells carried it as well.
geometry square {
  body = rectangle(x: 0..1, y: 0..1)
  shape = body
  region a = where x < 0.5
  region b = where x >= 0.5
  boundary lower_half = where x == 0 and y < 0.5
}
for (m, kind) in [(mesh(square, cells: [8, 8]), "structured"), (mesh(square, h: 0.1), "unstructured")] {
  one = project((u: 1), m)
  for (length, expected, what) in [(integral(one.u, on: left), 1, "a side"), (integral(one.u, on: all), 4, "all"), (integral(one.u, on: interface(a, b)), 1, "an interface"),
                                   (integral(one.u, on: lower_half), 0.5, "a part of a side"), (integral(one.u, on: top), 1, "a side across regions")] {
    assert abs(length - expected) < 1e-13, f"{what}: {length}"
    print(f"ok length of {what}, {kind}")
  }
}
