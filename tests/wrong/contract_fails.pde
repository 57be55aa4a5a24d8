# A check that fails: status 2.
geometry rod = interval(0, 1)
pde heat on rod {
  unknown T : scalar P1
  -lap(T) == 1
  on all: T == 0
}
contract cool(s: solution) {
  violation = max(s.T)
  tolerance = 0.01
}
sol = solve(heat, mesh(rod, cells: [16]))
check sol against cool(sol)
