# G4.3 A rectangle with a moving source of heat.
#
# Data: 2 x 1, diffusivity 0.1, source exp(-50 |r - r0(t)|^2) that runs round an ellipse, insulated, u = 0 at first, until t = 1.
# Qualification: reference, the content equals the supplied heat; refinement of the largest temperature is left to the eye.
import "qualify"
geometry plate = rectangle(x: 0..2, y: 0..1)
field source = 10*exp(-50*((x - 1 - 0.5*cos(2*pi*t))^2 + (y - 0.5 - 0.2*sin(2*pi*t))^2))
pde heat on plate {
  unknown u : scalar P2
  dt(u) == 0.1*lap(u) + source
  on all: dot(0.1*grad(u), n) == 0
  initially: u == 0
}
sol = solve(heat, mesh(plate, cells: [48, 24]), time: 0..1, step: 0.01, scheme: crank_nicolson)
supplied = 10*pi/50                     # per unit of time; the tails beyond the sides are below 3e-3 of it
by_reference("G4.3 rectangle, heat", "content at the end", abs(integral(sol.u)/supplied - 1), 3e-3)
check sol against positivity(sol)
plot(sol.u, "rectangle_heat.png", title: "Moving source, t = 1")
export(sol, "rectangle_heat.pvd")
