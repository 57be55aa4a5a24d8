# A wall temperature without its unit.
param k = 0.5 [W/(m*K)]
geometry wall = interval(0 [m], 0.2 [m])
pde heat on wall {
  unknown T : scalar P1 [K]
  -div(k*grad(T)) == 0
  on left: T == 293
  on right: T == 273 [K]
}
