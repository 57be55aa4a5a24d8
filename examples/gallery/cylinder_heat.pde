# G6.1 A hot cylinder that cools at its wall.
#
# Data: radius 0.5, height 1, diffusivity 0.2, Robin (coefficient 1, surroundings 0) on the wall, insulated ends, u = 1 at first, until t = 0.5.
# Qualification: refinement in space and time of the mean temperature.
# Slow: `make verify` runs it.
import "qualify"
geometry rod = cylinder(radius: 0.5, height: 1)
pde heat on rod {
  unknown u : scalar P1
  dt(u) == 0.2*lap(u)
  on wall: dot(0.2*grad(u), n) == -u
  on others: dot(0.2*grad(u), n) == 0
  initially: u == 1
}
fn run(m, dt) = solve(heat, m, time: 0..0.5, step: dt, scheme: bdf2)
m = mesh(rod, h: 0.25)
a = run(m, 0.05); b = run(refined(m), 0.025); c = run(refined(refined(m)), 0.0125)
by_refinement("G6.1 cylinder, heat", "content at the end", [integral(a.u), integral(b.u), integral(c.u)], 2, 2e-2)
check c against positivity(c), energy_decay(c)
plot(c.u, "cylinder_heat.png", title: "Cooling cylinder, t = 0.5")
export(c, "cylinder_heat.pvd")
