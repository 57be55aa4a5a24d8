# G6.2 Reaction and diffusion in a cylinder.
#
# Data: radius 0.3, height 1, u_t = 0.05 lap(u) + 4 u (1 - u), insulated, at first 1/(1 + exp(20 (z - 0.2))), until t = 0.5.
# Qualification: refinement in space and time of the content; 0 <= u <= 1 throughout.
# Slow: `make verify` runs it.
import "qualify"
geometry rod = cylinder(radius: 0.3, height: 1)
pde fisher on rod {
  unknown u : scalar P1
  dt(u) == 0.05*lap(u) + 4*u*(1 - u)
  on all: dot(0.05*grad(u), n) == 0
  initially: u == 1/(1 + exp(20*(z - 0.2)))
}
fn run(m, dt) = solve(fisher, m, time: 0..0.5, step: dt, scheme: crank_nicolson)
m = mesh(rod, h: 0.2)
a = run(m, 0.1); b = run(refined(m), 0.05); c = run(refined(refined(m)), 0.025)
by_refinement("G6.2 cylinder, reaction-diffusion", "mean at the end", [mean(a.u), mean(b.u), mean(c.u)], 2, 1e-2)
check c against range_bound(c, u, 0, 1)
plot(c.u, "cylinder_reaction.png", title: "Fisher's front in a cylinder, t = 0.5")
export(c, "cylinder_reaction.pvd")
