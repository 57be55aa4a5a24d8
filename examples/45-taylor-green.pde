# Decaying vortices between frictionless walls: transient incompressible flow with a known solution (Taylor and Green, 1937).
#
# Shows: Navier-Stokes in time, walls where the fluid slips, the pressure's level by its mean.
# Comes out: the energy falls as exp(-4 nu t), the pressure as its square root does; friction takes what the energy loses.

nu = 0.05
geometry cell = rectangle(x: 0..pi, y: 0..pi)
field vortex = (sin(x)*cos(y), -cos(x)*sin(y))
pde flow on cell {
  unknown u : vector P2
  unknown p : scalar P1
  field sigma = 2*nu*eps(u) - p*I
  equation u: dt(u) + dot(u, grad(u)) == div(sigma)
  equation p: div(u) == 0
  on left, right { u.x == 0; dot(sigma, n).y == 0 }
  on bottom, top { u.y == 0; dot(sigma, n).x == 0 }
  mean(p) == 0
  initially: u == vortex
}

sol = solve(flow, mesh(cell, cells: [16, 16]), time: 0..4, step: 0.1, scheme: bdf2)
energy = 0.5*integral(dot(sol.u, sol.u))
start = 0.5*integral(dot(sol.u at 0, sol.u at 0))
print(f"energy left {energy/start:.5f}, exactly {exp(-4*nu*4):.5f}")
field pressure = (cos(2*x) + cos(2*y))/4*exp(-4*nu*4)
print(f"pressure in the corner {sol.p(0, 0):.5f}, exactly {exp(-4*nu*4)/2:.5f}")
check sol against abs(energy/start/exp(-4*nu*4) - 1) <= 1e-3,
  norm(sol.u - exp(-2*nu*4)*vortex)/norm(vortex*exp(-2*nu*4), on: cell) <= 2e-3,
  norm(sol.p - pressure)/norm(pressure, on: cell) <= 1e-2
plot(sol.u, "vortex.png", arrows: true)
