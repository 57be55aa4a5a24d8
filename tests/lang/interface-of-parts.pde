# Where two parts meet: a part is its sides and its cells, and here its cells are meant; the mesh follows from the parts.
#! expect: 1 1
#! expect: 1.5 1 -1
#! expect: 1.5 2
geometry two {
  a = rectangle(x: 0..1, y: 0..1)
  b = rectangle(x: 1..2, y: 0..1)
  shape = a + b
}
m = mesh(two, h: 0.2)
print(integral(1, on: m.interface(a, b)), integral(1, on: two.interface(a,b)))
f = project((f: x + y), m)
print(integral(f.f, on: interface(a, b)), integral(dot((x, y), n), on: interface(a, b)), integral(dot((x, y), n), on: interface(b, a)))
print(mean(f.f, on: interface(a, b)), max(f.f, on: interface(a, b)))
