# Integrals over the facets between cells, of given fields and in solved problems.
geometry plate = polygon([(0, 0), (1.2, 0.1), (1.4, 0.8), (0.6, 1.1), (0.1, 0.7)])
geometry block = box(x: 0..1, y: 0..0.8, z: 0..0.6)
m = mesh(plate, h: 0.15)
k = mesh(block, cells: [5, 4, 3])
p0 = project((u: sin(3*x)*y), m, element: DG0)
p1 = project((u: (x*y, exp(x))), m, element: P2)
q1 = project((u: sin(3*x)*y + z), k, element: DG0)
print(f"jump of constants = {integral(jump(p0.u)^2*(1 + x), on: interior):.15e}")
print(f"jump of gradients = {integral(inner(jump(grad(p1.u)), jump(grad(p1.u)))/h, on: interior):.15e}")
print(f"mean normal part = {integral(dot(avg(p1.u), n)^2, on: interior):.15e}")
print(f"jump in 3D = {integral(jump(q1.u)^2*avg(h), on: interior):.15e}")
pde sipg on plate {
  unknown u : scalar DG1
  weak v: integral(dot(grad(u), grad(v))) -
          integral(dot(avg(grad(u)), jump(v, n)) + dot(jump(u, n), avg(grad(v))) - 10/h*jump(u)*jump(v), on: interior) -
          integral(dot(grad(u), n)*v + u*dot(grad(v), n) - 10/h*u*v, on: all) == integral(exp(x)*v)
}
# continuous interior penalty: jumps of the gradients of a continuous element
pde cip on block {
  unknown u : scalar P1
  weak v: integral(dot((1, 0.5, 0.2), grad(u))*v + u*v) + integral(0.1*h^2*jump(grad(u), n)*jump(grad(v), n), on: interior) == integral(exp(x)*v)
  on x_min: u == 1
}
pde upwind on block {
  unknown c : vector DG0
  field b = (1, 0.5, 0.2)
  weak v: integral(dot(dt(c), v)) + integral(dot(jump(v), jump(max(dot(b, n), 0)*c)), on: interior) +
          integral(max(dot(b, n), 0)*dot(c, v) + min(dot(b, n), 0)*v.x, on: all) == 0
  initially: c == (0, x, 1)
}
s = solve(sipg, m, solver: "mumps")
t = solve(cip, k, solver: "mumps")
r = solve(upwind, k, time: 0..0.2, step: 0.05, scheme: bdf2, solver: "mumps")
print(f"interior penalty ~ {norm(s.u):.15e}")
print(f"its jumps ~ {integral(jump(s.u)^2, on: interior):.15e}")
print(f"continuous interior penalty ~ {norm(t.u):.15e}")
print(f"upwind, first ~ {integral(r.c.x):.15e}")
print(f"upwind, second ~ {integral(r.c.y):.15e}")
