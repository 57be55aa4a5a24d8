# V7. Heat on the unit square, P1: orders in time, and that the error in space is small enough to see them.
#
# u* = 0.2 (sin x + cos y) exp(-t) without a source, to t = 0.4. Steps, extrapolation and the isolation R: isolation.pde.
# Accepted: orders of three steps 0.8 to 1.2 (backward Euler) and 1.65 to 2.35 (Crank-Nicolson), R of both schemes at most 10 %.
# The paper's mesh has 768 x 768 cells. The error in space is proportional to h^2: with fewer cells the figures at 768 are predicted
# from it, and it is these that are judged.
import "isolation"

param cells = 768

geometry square = rectangle(x: 0..1, y: 0..1)
pde heat on square {
  unknown u : scalar P1
  dt(u) == lap(u)
  on all: u == wave(t)
  initially: u == wave(0)
}
m = mesh(square, cells: [cells, cells])
r = heat_in_time(heat, m)
space = r.space*(cells/768)^2
print(m)
print(r.steps)
print(tabulate((
  quantity: ["error in space", "R of backward Euler, %", "R of Crank-Nicolson, %", "order, backward Euler", "order, Crank-Nicolson", "order against u_ext, backward Euler", "order against u_ext, Crank-Nicolson"],
  ours:     [space, 100*space/r.steps.BE_time[-1], 100*space/r.steps.CN_time[-1], fitted_order(r.steps.step, r.steps.BE), fitted_order(r.steps.step, r.steps.CN),
             fitted_order(r.steps.step, r.steps.BE_time), fitted_order(r.steps.step, r.steps.CN_time)],
  paper:    ["2.75e-08", "0.0283", "6.83", "band 0.8 to 1.2", "band 1.65 to 2.35", "", ""]), title: "V7"))

contracts acceptance(steps: study) {
  hard BE_order(steps)
  hard CN_order_isolated(steps, r.space)
  hard time_orders(steps)
  hard isolation(steps, space, steps.BE_time[-1])
  hard isolation(steps, space, steps.CN_time[-1])
  hard abs(space/2.75e-8 - 1) <= 2e-3
}
check r.steps against acceptance(r.steps)
