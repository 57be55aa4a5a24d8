# sin of a length.
param L = 2 [m]
geometry bar = interval(0 [m], L)
field f = sin(pi*x)
pde p on bar {
  unknown u : scalar P1 [m]
  -lap(u) == f*1 [1/m]
  on all: u == 0
}
