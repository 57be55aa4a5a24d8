# G4.2 An annulus heated from inside.
#
# Data: radii 0.35 and 1, u = 1 - exp(-20 t) inside, Robin (coefficient 1, surroundings 0) outside, u = 0 at first, until t = 0.5.
# Qualification: refinement in space and time of the content.
# Slow: `make verify` runs it.
import "qualify"
geometry ring = annulus(center: (0, 0), inner: 0.35, outer: 1)
pde heat on ring {
  unknown u : scalar P1
  dt(u) == lap(u)
  on inner: u == 1 - exp(-20*t)
  on outer: dot(grad(u), n) == -u
  initially: u == 0
}
fn run(m, dt) = solve(heat, m, time: 0..0.5, step: dt, scheme: bdf2)
m = mesh(ring, h: 0.12)
a = run(m, 0.02); b = run(refined(m), 0.01); c = run(refined(refined(m)), 0.005)
by_refinement("G4.2 annulus, heat", "content at the end", [integral(a.u), integral(b.u), integral(c.u)], 2, 5e-3)
check c against positivity(c)
plot(c.u, "annulus_heat.png", title: "Annulus heated from inside, t = 0.5")
export(c, "annulus_heat.pvd")
