# Poisson's equation with discontinuous elements: the symmetric interior penalty method.
#
# Shows: DG1, avg of gradients, jump with the normal, h on facets, boundary values in Nitsche's way.
# Comes out: orders 2 in L2 and 1 in H1, as with continuous elements.

geometry square = rectangle(x: 0..1, y: 0..1)
field exact = sin(pi*x)*exp(y)
field f = -lap(exact)

pde sipg(a = 10) on square {
  unknown u : scalar DG1
  field penalty = a/h                                # on a facet between cells h is the mean of both
  weak v: integral(dot(grad(u), grad(v))) -
          integral(dot(avg(grad(u)), jump(v, n)) + dot(jump(u, n), avg(grad(v))) - penalty*jump(u)*jump(v), on: interior) -
          integral(dot(grad(u), n)*v + (u - exact)*dot(grad(v), n) - penalty*(u - exact)*v, on: all) ==
          integral(f*v)
}

study s = refine(sipg, exact: (u: exact), cells: [8, 16, 32, 64])
print(s)
assert abs(observed_order(s, L2) - 2) < 0.1 and abs(observed_order(s, H1) - 1) < 0.1
