geometry string = interval(0, 1)
pde heat on string {
  unknown u : scalar P2
  dt(u) == lap(u)
  on all: u == 0
}
#! check
#! error E0420 3:11-3:12
