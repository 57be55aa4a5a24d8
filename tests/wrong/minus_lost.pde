# A long equation was broken before its minus.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde react(c = 4) on plate {
  unknown u : scalar P1
  -lap(u) == 1
    - c*u
  on all: u == 0
}
