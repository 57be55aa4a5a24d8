# A scalar pressure added to a stress tensor.
geometry cavity = rectangle(x: 0..1, y: 0..1)
pde stokes(mu = 1) on cavity {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: -div(mu*grad(u) - p) == 0
  equation p: div(u) == 0
  on top: u == (1, 0)
  on left: dot(mu*grad(u) - p*I, n) == 0
  on others: u == 0
}
