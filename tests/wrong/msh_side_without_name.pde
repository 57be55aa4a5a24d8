# One side of the file has a name and a condition; on the three others nothing is said.
m = import_mesh("some_unnamed.msh")
pde heat on m {
  unknown T : scalar P1
  -lap(T) == 1
  on hot: T == 0
}
sol = solve(heat, m)
print(f"{max(sol.T):.3g}")
