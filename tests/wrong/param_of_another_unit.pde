# A param keeps its unit where solve gives it another value.
param k = 2 [W/(m*K)]
geometry rod = interval(0 [m], 1 [m])
pde heat on rod {
  unknown T : scalar P1 [K]
  div(k*grad(T)) == 0
  on left: T == 80 [degC]
  on right: T == 20 [degC]
}
sol = solve(heat, mesh(rod, cells: [4]), k: 2 [m])
