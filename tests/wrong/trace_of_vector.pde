# tr of a vector.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde elastic on plate {
  unknown u : vector P2
  div(eps(u) + tr(u)*I) == 0
  on all: u == 0
}
