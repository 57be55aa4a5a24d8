#! check
geometry square = rectangle(x: 0..1, y: 0..1)
pde p on square {
  unknown u : scalar P1
  -lap(u) == 1
  on lef: u == 0
}
#! error E0203 6:6-6:9
#! status 1
