## The problem of V5 and V9: heat with a cubic sink in a ball of radius 0.5, whose solution is A exp(-t), and its state of equilibrium.
geometry ball = sphere(center: (0, 0, 0), radius: 0.5)
field A = 0.2 + 0.1*x + 0.05*y + 0.025*z

pde decay on ball {
  unknown u : scalar P1
  dt(u) - lap(u) + u^3 == -A*exp(-t) + (A*exp(-t))^3
  on all: u == A*exp(-t)
  initially: u == A
}
pde rest on ball {
  unknown u : scalar P1
  dt(u) - lap(u) + u^3 == A^3
  on all: u == A
  initially: u == A
}
