# The element by another library's name.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde poisson on plate {
  unknown u : scalar CG1
  -lap(u) == 1
  on all: u == 0
}
