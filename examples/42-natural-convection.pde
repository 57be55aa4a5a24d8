# Air in a square cavity between a hot and a cold wall: natural convection, Boussinesq's equations.
#
# Shows: flow and heat coupled both ways, Newton's method, a sequence of harder problems, each started from the one before.
# Comes out: the mean Nusselt numbers of de Vahl Davis (1983): 1.118 at a Rayleigh number of 1e3, 2.243 at 1e4.

geometry cavity = rectangle(x: 0..1, y: 0..1)
pde convection(Ra = 1e3, Pr = 0.71) on cavity {
  unknown u : vector P2                              # in units of heat diffusivity over width
  unknown p : scalar P1
  unknown T : scalar P2
  field sigma = Pr*grad(u) - p*I
  equation u: dot(u, grad(u)) == div(sigma) + (0, Ra*Pr*T)
  equation p: div(u) == 0
  equation T: dot(u, grad(T)) == div(grad(T))
  on all: u == 0
  on left: T == 1
  on right: T == 0
  on top, bottom: dot(grad(T), n) == 0
  mean(p) == 0
}

m = mesh(cavity, cells: [24, 24])
published = [(1e3, 1.118), (1e4, 2.243)]
for (Ra, Nu) in published {
  sol = solve(convection, m, Ra: Ra)
  hot = flux(sol.T, left); cold = -flux(sol.T, right)
  print(f"Ra {Ra:.0e}: Nu {hot:.3f}, published {Nu}; largest speed {max(sol.u.x, on: m):.2f} across, {max(sol.u.y, on: m):.2f} up")
  check sol against abs(hot/Nu - 1) <= 2e-3, abs(hot - cold) <= 1e-7, divergence_free(sol, velocity: u)
}
plot(sol.T, "convection.png", title: "temperature at Ra = 1e4", contours: 12)
