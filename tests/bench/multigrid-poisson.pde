# Poisson's equation on N x N x 2 triangles by a solver: iterations over the size.
param N = 100
geometry square = rectangle(x: 0..1, y: 0..1)
pde problem on square {
  unknown u : scalar P1
  -lap(u) == 2*pi^2*sin(pi*x)*sin(pi*y)
  on all: u == 0
}
