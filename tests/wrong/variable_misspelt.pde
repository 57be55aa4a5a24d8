# The source is called `source`.
geometry plate = rectangle(x: 0..1, y: 0..1)
field source = 10*exp(-50*((x - 0.5)^2 + (y - 0.5)^2))
pde poisson on plate {
  unknown u : scalar P1
  -lap(u) == sorce
  on all: u == 0
}
