# A film coefficient without a unit.
param k = 0.5 [W/(m*K)]
geometry wall = interval(0 [m], 0.2 [m])
pde heat on wall {
  unknown T : scalar P1 [K]
  -div(k*grad(T)) == 0
  on left: T == 293 [K]
  on right: dot(k*grad(T), n) == 25*(283 [K] - T)
}
