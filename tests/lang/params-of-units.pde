# A param is given another value by solve in whatever unit fits: 20 W/(cm K) is a thousand times 2 W/(m K).
param k = 2 [W/(m*K)]
geometry rod = interval(0 [m], 1 [m])
pde heat on rod {
  unknown T : scalar P1 [K]
  div(k*grad(T)) == 0
  on left: T == 80 [degC]
  on right: dot(k*grad(T), n) == 10 [W/m^2]
}
m = mesh(rod, cells: [4])
once = solve(heat, m)
again = solve(heat, m, k: 20 [W/(cm*K)])
print(once.T(1 [m]) to [degC], again.T(1 [m]) to [degC])
#! expect: 85 [degC] 80.005 [degC]
