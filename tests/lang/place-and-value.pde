# A boundary that is not there hides nothing of what is wrong in its condition.
#! error E0203 9:6-9:10
#! error E0101 9:19-9:21
#! check
geometry g = rectangle(x: 0..1, y: 0..1)
pde p on g {
  unknown u : scalar P1
  -lap(u) == 1
  on lfet: u == 2*zz
}
