# An element that this build does not have.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde darcy on plate {
  unknown q : vector RT1
  unknown p : scalar P1
  equation q: q == -grad(p)
  equation p: div(q) == 1
  on all: p == 0
}
