# A contract that is there twice is shown with its arguments.
geometry line = interval(0, 1)
pde p on line {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u == 0
}
s = solve(p, mesh(line, cells: [4]))
check s against range_bound(s, u, 0, 0.125), range_bound(s, u,
  -1, 1), positivity(s, u)
#! expect: check s
#! expect:   pass    hard range_bound(s, u, 0, 0.125)  violation 0, tolerance 0.001
#! expect:   pass    hard range_bound(s, u, -1, 1)     violation 0, tolerance 0.001
#! expect:   pass    hard positivity                   violation 0, tolerance 0.001
