# V5. Heat with a cubic sink in a ball of radius 0.5, P1: orders in time of backward Euler and Crank-Nicolson, and a state of equilibrium.
#
# u* = (0.2 + 0.1 x + 0.05 y) exp(-t) with the source -u*, to t = 0.4 with steps 0.1, 0.05, ..., 0.00625. P1 holds the affine field, and
# cells with straight sides have it exact on their boundary: what is seen is the error in time. The equilibrium is u*(t = 0) without a source.
# Accepted: orders of the finest three steps 0.8 to 1.2 (backward Euler) and 1.65 to 2.35 (Crank-Nicolson); the error of the equilibrium
# at most 1e-8 and below 10 % of the smallest error of the decaying field.
# The paper's mesh of size 0.3 has 108 tetrahedra. The boundary of this one resolves the sphere more finely; it has 137.
import "reaction_reference"
import "rules"

m = mesh(ball, h: 0.33)
print(m)

BE = []; CN = []; step = []
for d in [0.1, 0.05, 0.025, 0.0125, 0.00625] {
  be = solve(decay, m, time: 0..0.4, step: d, scheme: backward_euler)
  cn = solve(decay, m, time: 0..0.4, step: d, scheme: crank_nicolson)
  step = step ++ [d]
  BE = BE ++ [norm(be.u - A*exp(-0.4))]
  CN = CN ++ [norm(cn.u - A*exp(-0.4))]
}
steps = tabulate((step: step, BE: BE, CN: CN))
print(steps)

still = solve(rest, m, time: 0..0.4, step: 0.025, scheme: crank_nicolson)
equilibrium = norm(still.u - A)
print(tabulate((
  quantity: ["order, backward Euler, steps 0.05 and 0.025", "order, Crank-Nicolson, steps 0.05 and 0.025", "order, backward Euler, finest three", "order, Crank-Nicolson, finest three", "error of the equilibrium"],
  ours:     [order_between(BE[1], BE[2]), order_between(CN[1], CN[2]), fitted_order(step, BE), fitted_order(step, CN), equilibrium],
  paper:    ["1.012", "2.000", "band 0.8 to 1.2", "band 1.65 to 2.35", "2.02e-17"]), title: "V5"))

contracts acceptance(steps: study) {
  hard BE_order(steps)
  hard CN_order(steps)
  hard equilibrium <= 1e-8
  hard equilibrium/min(BE[-1], CN[-1]) <= 0.1
}
check steps against acceptance(steps)
