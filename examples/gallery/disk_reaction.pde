# G4.4 Reaction and diffusion in a disk: a front of Fisher's equation.
#
# Data: radius 1, u_t = 0.01 lap(u) + 5 u (1 - u), insulated, at first a drop exp(-30 r^2) off the middle, until t = 1.5.
# Qualification: refinement in space and time of the content; 0 <= u <= 1 throughout.
# Slow: `make verify` runs it.
import "qualify"
geometry dish = disk(center: (0, 0), radius: 1)
pde fisher on dish {
  unknown u : scalar P1
  dt(u) == 0.01*lap(u) + 5*u*(1 - u)
  on rim: dot(0.01*grad(u), n) == 0
  initially: u == exp(-30*((x - 0.2)^2 + y^2))
}
fn run(m, dt) = solve(fisher, m, time: 0..1.5, step: dt, scheme: crank_nicolson)
m = mesh(dish, h: 0.14)
a = run(m, 0.05); b = run(refined(m), 0.025); c = run(refined(refined(m)), 0.0125)
by_refinement("G4.4 disk, reaction-diffusion", "content at the end", [integral(a.u), integral(b.u), integral(c.u)], 2, 1e-2)
check c against range_bound(c, u, 0, 1)
plot(c.u, "disk_reaction.png", title: "Fisher's front, t = 1.5")
export(c, "disk_reaction.pvd")
