# On what?
pde poisson {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u == 0
}
