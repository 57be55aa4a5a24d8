# A bare length in a program with units.
param k = 0.5 [W/(m*K)]
geometry wall = interval(0, 0.2)
pde heat on wall {
  unknown T : scalar P1 [K]
  -div(k*grad(T)) == 0
  on all: T == 293 [K]
}
