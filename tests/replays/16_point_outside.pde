# status 1 E2006: a point outside of the mesh is an error, no nearest value.
geometry block = box(x: 0..1, y: 0..1, z: 0..1)
s = project((u: x), mesh(block, cells: [2, 2, 2]))
print(s.u(1.001, 0.5, 0.5))
