# A contract says how much is too much.
geometry rod = interval(0, 1)
pde heat on rod {
  unknown T : scalar P1
  -lap(T) == 1
  on all: T == 0
}
contract small(s: solution) {
  violation = norm(s.T)
}
sol = solve(heat, mesh(rod, cells: [16]))
check sol against small(sol)
