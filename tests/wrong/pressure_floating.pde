# Velocity prescribed all around a cavity.
geometry cavity = rectangle(x: 0..1, y: 0..1)
pde stokes(mu = 1) on cavity {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: -div(mu*grad(u) - p*I) == 0
  equation p: div(u) == 0
  on top: u == (1, 0)
  on others: u == 0
}
sol = solve(stokes, mesh(cavity, cells: [8, 8]))
