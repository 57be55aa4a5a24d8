# Heat in a channel around a warm pipe: mesh by Gmsh, finer where it matters.
#
# Shows: a geometry of parts, their boundary names, a graded mesh, time-dependent data, Crank-Nicolson, export for ParaView.
# Comes out: temperatures at three times; heat.png, heat.xdmf.

geometry channel {
  outer = rectangle(x: 0..2.2, y: 0..0.41)
  hole  = disk(center: (0.2, 0.2), radius: 0.05)
  shape = outer - hole
}
pde heat(k = 0.5) on channel {
  unknown T : scalar P1
  dt(T) == div(k*grad(T)) + exp(-t)*sin(pi*x)
  on outer.left: T == 300 + 10*sin(2*pi*t)
  on hole: dot(k*grad(T), n) == 5*(293 - T)
  on others: dot(k*grad(T), n) == 0
  initially: T == 300
}

m = mesh(channel, h: 0.05, size: near(hole, 0.01, within: 0.1))
sol = solve(heat, m, time: 0..0.4, step: 0.025)
for s in [0.1, 0.2, 0.4] { print(f"t = {s}: T(1, 0.2) = {sol.T(1.0, 0.2) at s:.3f}") }
assert 293 < min(sol.T) and max(sol.T, time: 0..0.4) < 310.01, "between the fluid in the pipe and the inlet"
plot(sol.T, "heat.png")
export(sol, "heat.xdmf")
