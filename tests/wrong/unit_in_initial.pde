# The initial value is a pressure.
param a = 1e-6 [m^2/s]
geometry wall = interval(0 [m], 0.2 [m])
pde heat on wall {
  unknown T : scalar P1 [K]
  dt(T) == div(a*grad(T))
  on all: T == 293 [K]
  initially: T == 101325 [Pa]
}
