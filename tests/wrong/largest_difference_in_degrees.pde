# The largest difference of temperatures is a difference still, as is a mean one.
geometry rod = interval(0 [m], 1 [m])
T_air = 20 [degC]
pde heat on rod {
  unknown T : scalar P1 [K]
  -div(2 [W/(m*K)]*grad(T)) == 0 [W/m^3]
  on left: T == 80 [degC]
  on right: T == T_air
}
sol = solve(heat, mesh(rod, cells: [4]))
print(max(sol.T - T_air) to [degC])
