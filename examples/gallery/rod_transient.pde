# G1.2 A rod heated from one end, transient.
#
# Data: length 1, diffusivity 1, u = 0 at first, u = 1 at the left end (raised smoothly over 0.05), insulated right end, until t = 0.5.
# Qualification: refinement in space and time of the temperature at the insulated end.
import "qualify"
geometry rod = interval(0, 1)
pde heat on rod {
  unknown u : scalar P1
  dt(u) == lap(u)
  on left: u == 1 - exp(-(t/0.05)^2)
  on right: dot(grad(u), n) == 0
  initially: u == 0
}
fn run(cells, dt) = solve(heat, mesh(rod, cells: [cells]), time: 0..0.5, step: dt, scheme: crank_nicolson)
sol = run(80, 0.0025)
by_refinement("G1.2 rod, transient", "temperature of the far end", [run(20, 0.01).u(1), run(40, 0.005).u(1), sol.u(1)], 2, 1e-3)
check sol against positivity(sol)
plot(sol.u, "rod_transient.png", title: "Rod heated from the left, t = 0.5")
plot(history(sol.u(1)), "rod_transient_end.png", title: "Temperature of the far end")
export(sol, "rod_transient.pvd")
