# Discontinuous elements: interior penalty and upwinding refined, patch tests over the facets between cells, conservation.
import "orders"
geometry line = interval(0, 1.3)
geometry plate = polygon([(0, 0), (1.2, 0.1), (1.4, 0.8), (0.6, 1.1), (0.1, 0.7)])
geometry block = box(x: 0..1, y: 0..0.8, z: 0..0.6)
geometry square = rectangle(x: -1..1, y: -1..1)
field w1 = sin(3*x) + exp(-x)
field w2 = sin(2*x + y)*exp(0.5*y)
field w3 = sin(2*x + y)*exp(z)
fn sigma(a) = a/h

# symmetric interior penalty (Arnold, SIAM J. Numer. Anal. 19 (1982) 742), the boundary values in Nitsche's way
pde sipg1(a = 10) on line {
  unknown u : scalar DG1
  weak v: integral(dot(grad(u), grad(v))) -
          integral(dot(avg(grad(u)), jump(v, n)) + dot(jump(u, n), avg(grad(v))) - sigma(a)*jump(u)*jump(v), on: interior) -
          integral(dot(grad(u), n)*v + (u - w1)*dot(grad(v), n) - sigma(a)*(u - w1)*v, on: all) == integral(-lap(w1)*v)
}
pde sipg2(a = 10) on plate {
  unknown u : scalar DG1
  weak v: integral(dot(grad(u), grad(v))) -
          integral(dot(avg(grad(u)), jump(v, n)) + dot(jump(u, n), avg(grad(v))) - sigma(a)*jump(u)*jump(v), on: interior) -
          integral(dot(grad(u), n)*v + (u - w2)*dot(grad(v), n) - sigma(a)*(u - w2)*v, on: all) == integral(-lap(w2)*v)
}
pde sipg3(a = 20) on block {
  unknown u : scalar DG1
  weak v: integral(dot(grad(u), grad(v))) -
          integral(dot(avg(grad(u)), jump(v, n)) + dot(jump(u, n), avg(grad(v))) - sigma(a)*jump(u)*jump(v), on: interior) -
          integral(dot(grad(u), n)*v + (u - w3)*dot(grad(v), n) - sigma(a)*(u - w3)*v, on: all) == integral(-lap(w3)*v)
}
# upwinding: what leaves a cell enters its neighbour with the value it left with
field b = (1, 0.5)
field source = dot(b, grad(w2)) + w2
pde upwind1 on plate {
  unknown u : scalar DG1
  weak v: integral(u*v - u*dot(b, grad(v))) + integral(jump(v)*jump(max(dot(b, n), 0)*u), on: interior) +
          integral(max(dot(b, n), 0)*u*v + min(dot(b, n), 0)*w2*v, on: all) == integral(source*v)
}
pde upwind0 on plate {
  unknown u : scalar DG0
  weak v: integral(u*v) + integral(jump(v)*jump(max(dot(b, n), 0)*u), on: interior) +
          integral(max(dot(b, n), 0)*u*v + min(dot(b, n), 0)*w2*v, on: all) == integral(source*v)
}
m = mesh(plate, h: 0.3)
expect(refine(sipg1, exact: (u: w1), cells: [8, 16, 32, 64]), 2, 1, "interior penalty, 1D")
expect(refine(sipg2, exact: (u: w2), mesh: m, levels: 4), 2, 1, "interior penalty, 2D")
expect(refine(sipg3, exact: (u: w3), cells: [3, 6, 12]), 2, 1, "interior penalty, 3D")
expect(refine(upwind1, exact: (u: w2), mesh: m, levels: 4), 2, 1, "upwind, DG1")
expect(refine(upwind0, exact: (u: w2), mesh: m, levels: 4), 1, 0, "upwind, DG0")

# linear functions are in the space: of one unknown, of a vector beside a continuous scalar
field q = 1 + x - 2*y + 3*z
field vq = (q, 2*q, x)
pde patch(a = 20) on block {
  unknown u : vector DG1
  unknown p : scalar P1
  weak v, r: integral(inner(grad(u), grad(v)) + p*r + p*v.x) -
          integral(inner(avg(grad(u)), outer(jump(v), n)) + inner(outer(jump(u), n), avg(grad(v))) - sigma(a)*dot(jump(u), jump(v)), on: interior) -
          integral(dot(dot(grad(u), n), v) + dot(u - vq, dot(grad(v), n)) - sigma(a)*dot(u - vq, v), on: all) == integral(q*r + q*v.x)
}
s = solve(patch, mesh(block, h: 0.3))
e = norm(s.u - vq) + norm(s.p - q)
jumps = integral(dot(jump(s.u), jump(s.u)), on: interior)
print(f"patch {e:.2e}, jumps {jumps:.2e}")
assert e < 1e-12 and jumps < 1e-24, "DG1 has the linear functions"

# a flow along the walls carries mass about and loses none
pde hump on square {
  unknown c : scalar DG1
  field w = (y*(1 - x^2), -x*(1 - y^2))
  weak v: integral(dt(c)*v - c*dot(w, grad(v)), degree: 6) + integral(jump(v)*jump(max(dot(w, n), 0)*c), on: interior) == 0
  initially: c == exp(-9*((x - 0.4)^2 + y^2))
}
t = solve(hump, mesh(square, cells: [12, 12]), time: 0..1, step: 0.05, scheme: crank_nicolson)
lost = integral(t.c)/integral(t.c at 0) - 1
print(f"lost {lost:.2e}")
assert abs(lost) < 1e-12, "upwinding conserves"

# jumps of given fields: a step is seen once a facet, a continuous field not, its gradient is
g = mesh(square, cells: [8, 8])
step = project((c: x), g, element: DG0).c
smooth = project((u: x*y), g).u
assert abs(integral(1 + 0*smooth, on: interior) - (2*7*2 + 8*2*sqrt(2))) < 1e-12, "length of the facets"
assert integral(jump(smooth)^2, on: interior) < 1e-28 and integral(dot(jump(grad(smooth)), jump(grad(smooth))), on: interior) > 0.1, "jumps"
assert abs(integral(avg(step) - x, on: interior)) < 1e-12, "averages"
