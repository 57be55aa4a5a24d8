# Heat on a disk, as a map, under the pack of heat conduction.
#
# Shows: a map made by the solver, a model in closed form, one set of rules for both, an audit with an adversary, witnesses.
# Comes out: the solver and the closed form pass all hard contracts. A slope in place of the exponential is rejected, as is a state that does
# not move: `pde test heat-map.pde`.
#
# u* = (0.2 + 0.1 x + 0.05 y) c exp(-t) has the source -u*; c is the size of the state. It cools everywhere, so what it starts with bounds it from above.

geometry round = disk(center: (0, 0), radius: 1)
field A = 0.2 + 0.1*x + 0.05*y

pde decay(c = 1.0) on round {
  unknown u : scalar P1
  dt(u) - lap(u) == -c*A*exp(-t)
  on all: u == c*A*exp(-t)
  initially: u == c*A
}
map heat_map {
  input c in 0.5..2
  output u(t) from solve(decay(c), mesh(round, h: 0.33), time: 0..0.4, step: 0.05, scheme: crank_nicolson)
}
model closed(c) for heat_map { u = c*A*exp(-t) }
model early(c) for heat_map { u = c*A*(1 - t) }
model still(c) for heat_map { u = c*A + 0*t }
contracts rules(m: model) {
  include heat_conduction(m, u, low: 0, high: 0.312*c, gain: dt(u) + c*A*exp(-t), flux: grad(u), edge: u == c*A*exp(-t), part: all, start: u == c*A, data: c)
}

solver = audit heat_map against rules { samples: 16; seed: 4 }
assert solver.passed
formula = audit closed against rules { samples: 64; seed: 4; adversary { starts: 4; steps: 20 } }
assert formula.passed

test "the rules tell right from wrong" {
  accept rules(closed)
  reject rules(early)
  reject rules(still)
}
