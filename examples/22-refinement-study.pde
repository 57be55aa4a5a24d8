# How good is the answer? Refinement in space and in time, with the orders as contracts.
#
# Shows: refine for meshes and for steps, a table, a convergence plot, checks that end the script with status 2 when they fail.
# Comes out: orders 2 and 1 in space (P1), 2 in time (Crank-Nicolson), 1 (backward Euler).

geometry square = rectangle(x: 0..1, y: 0..1)
field v = sin(pi*x)*sin(2*y)
field w = cos(4*t)*v

pde steady on square {
  unknown u : scalar P1
  -lap(u) + u == (pi^2 + 5)*v
  on all: u == v
}
pde transient on square {
  unknown u : scalar P2
  dt(u) == lap(u) + (pi^2 + 4)*w - 4*sin(4*t)*v
  on all: u == w
  initially: u == v
}

study space = refine(steady, exact: (u: v), cells: [8, 16, 32])
print(space)
check space against order(space, L2, expected: 2, within: 0.15), order(space, H1, expected: 1, within: 0.15)
m = mesh(square, cells: [16, 16])
study cn = refine(transient, exact: (u: w), mesh: m, time: 0..1, steps: [0.2, 0.1, 0.05], scheme: crank_nicolson)
study be = refine(transient, exact: (u: w), mesh: m, time: 0..1, steps: [0.1, 0.05, 0.025], scheme: backward_euler)
print(cn, be)
check cn against time_order(cn, L2, expected: 2)
check be against time_order(be, L2, expected: 1)
plot(space, "orders.png")
