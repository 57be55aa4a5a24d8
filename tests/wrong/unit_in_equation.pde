# A source in W/m^2 in a volume equation.
param k = 0.5 [W/(m*K)]
param q = 100 [W/m^2]
geometry wall = interval(0 [m], 0.2 [m])
pde heat on wall {
  unknown T : scalar P1 [K]
  -div(k*grad(T)) == q
  on all: T == 293 [K]
}
