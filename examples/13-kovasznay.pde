# Kovasznay's exact solution of the Navier-Stokes equations, the flow behind a grid.
#
# Shows: a refinement study of a nonlinear coupled problem, orders as a contract.
# Comes out: order 3 of the velocity in L2 and 2 in H1, order 2 of the pressure.

Re = 40.0
lam = Re/2 - sqrt(Re^2/4 + 4*pi^2)
field speed = (1 - exp(lam*x)*cos(2*pi*y), lam/(2*pi)*exp(lam*x)*sin(2*pi*y))
field pressure = 0.5*(1 - exp(2*lam*x))

geometry wake = rectangle(x: 0..1, y: -0.5..0.5)
pde grid_flow on wake {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: dot(u, grad(u)) == div(grad(u)/Re - p*I)
  equation p: div(u) == 0
  on left, bottom, top: u == speed
  on right: dot(grad(u)/Re - p*I, n) == dot(grad(speed)/Re - pressure*I, n)
}

study s = refine(grid_flow, exact: (u: speed, p: pressure), cells: [8, 16, 32])
print(s)
check s against order_at_least(s, L2, expected: 2), order_at_least(s, H1, expected: 1)
plot(s, "kovasznay.png")
