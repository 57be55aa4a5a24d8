# A failed hard contract lets the script go on and ends it with status 2.
geometry line = interval(0, 1)
pde p on line {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u == 0
}
s = solve(p, mesh(line, cells: [4]))
v = check s against amplitude_bound(s, u, 0.1)
print("went on", v.passed)
#! expect: check s
#! expect:   FAIL    hard amplitude_bound  violation 0.25, tolerance 0.01
#! expect: went on false
#! status 2
