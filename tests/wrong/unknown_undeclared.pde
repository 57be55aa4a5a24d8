# The unknown was never declared.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde poisson on plate {
  -lap(u) == 1
  on all: u == 0
}
