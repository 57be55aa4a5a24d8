# V6. Heat on an annulus, P1: orders in time, and that the error in space is small enough to see them.
#
# The annulus has radii 0.35 and 1; u* = 0.2 (sin x + cos y) exp(-t) without a source, to t = 0.4. Steps, extrapolation and the isolation R:
# isolation.pde.
# Accepted: orders of three steps 0.8 to 1.2 (backward Euler) and 1.65 to 2.35 (Crank-Nicolson), R of both schemes at most 10 %.
# The paper fails with R = 10.84 % on an unstructured mesh of 2,380,960 triangles. This mesh is one of 12,300 nearly equilateral triangles, refined
# four times with new vertices on the circles: 3,146,240 triangles. The error in space is proportional to h^2: with fewer refinements the
# figures of four are predicted from it, and it is these that are judged.
import "isolation"

param refinements = 4

geometry ring = annulus(center: (0, 0), inner: 0.35, outer: 1)
pde heat on ring {
  unknown u : scalar P1
  dt(u) == lap(u)
  on all: u == wave(t)
  initially: u == wave(0)
}
m = mesh(ring, h: 0.023)
for i in 1..refinements { m = refined(m) }
r = heat_in_time(heat, m)
space = r.space/4^(4 - refinements)
print(m)
print(r.steps)
print(tabulate((
  quantity: ["error in space", "R of backward Euler, %", "R of Crank-Nicolson, %", "order, backward Euler", "order, Crank-Nicolson", "order against u_ext, backward Euler", "order against u_ext, Crank-Nicolson"],
  ours:     [space, 100*space/r.steps.BE_time[-1], 100*space/r.steps.CN_time[-1], fitted_order(r.steps.step, r.steps.BE), fitted_order(r.steps.step, r.steps.CN),
             fitted_order(r.steps.step, r.steps.BE_time), fitted_order(r.steps.step, r.steps.CN_time)],
  paper:    ["5.04e-08", "0.0448", "10.84, fails", "band 0.8 to 1.2", "band 1.65 to 2.35", "", ""]), title: "V6"))

contracts acceptance(steps: study) {
  hard BE_order(steps)
  hard CN_order_isolated(steps, r.space)
  hard time_orders(steps)
  hard isolation(steps, space, steps.BE_time[-1])
  hard isolation(steps, space, steps.CN_time[-1])
}
check r.steps against acceptance(r.steps)
