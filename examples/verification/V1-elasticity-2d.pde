# V1. Elasticity of the unit square in plane stress, P1: orders in space, strain energy, balance of reactions.
#
# u* = (0.01 x^2, 0), E = 1000, nu = 0.3; u* is prescribed on the whole boundary, the body force follows from it.
# Accepted: orders of the finest three levels 1.5 to 2.5 in L2 and 0.7 to 1.4 in the H1 seminorm; on the finest mesh relative
# errors of at most 3 % (L2), 15 % (H1), 2 % (strain energy), 1 % (reactions against the body force).
# On these meshes the discrete solution is the nodal interpolant of u*, so the errors are known in closed form and are demanded too:
# L2 = 0.01 h^2/sqrt(30), H1 = 0.01 h/sqrt(3), strain energy h^2/4.
import "mechanics/elasticity"
import "rules"

param finest = 64          # cells on a side of the finest of four meshes, a multiple of 8

geometry square = rectangle(x: 0..1, y: 0..1)
field w = (0.01*x^2, 0)
fn sigma(u) = plane_stress(u, 1000, 0.3)

pde elastic on square {
  unknown u : vector P1
  -div(sigma(u)) == -div(sigma(w))
  on all: u == w
}

h = []; L2 = []; H1 = []; energy = []; reaction = []
for n in [finest/8, finest/4, finest/2, finest] {
  s = solve(elastic, mesh(square, cells: [n, n]))
  h  = h ++ [1/n]
  L2 = L2 ++ [norm(s.u - w)]
  H1 = H1 ++ [norm(s.u - w, H1semi)]
  energy   = energy ++ [abs(integral(energy_density(sigma(s.u), s.u))/integral(energy_density(sigma(w), w), on: s) - 1)]
  reaction = reaction ++ [imbalance(s.u)]
}
levels = tabulate((h: h, L2: L2, H1: H1, energy: energy, reaction: reaction))
print(levels)
print(tabulate((
  quantity: ["order in L2, finest two", "order in H1, finest two", "order in L2, finest three", "order in H1, finest three", "L2 error, finest mesh", "H1 error, finest mesh", "strain energy error, %"],
  ours:     [fitted_order(h, L2, 2), fitted_order(h, H1, 2), fitted_order(h, L2), fitted_order(h, H1), L2[-1], H1[-1], 100*energy[-1]],
  paper:    ["2.000", "1.000", "band 1.5 to 2.5", "band 0.7 to 1.4", "4.457e-07 (closed form)", "9.021e-05 (closed form)", "0.00610"]), title: "V1"))

contracts acceptance(levels: study) {
  hard L2_order(levels, 1.5, 2.5)
  hard H1_order(levels, 0.7, 1.4)
  hard L2[-1]/norm(w, on: s) <= 0.03
  hard H1[-1]/norm(w, H1semi, on: s) <= 0.15
  hard energy[-1] <= 0.02
  hard reaction[-1] <= 0.01
  hard L2_in_closed_form(levels, 0.01/sqrt(30), 2)
  hard H1_in_closed_form(levels, 0.01/sqrt(3), 1)
  hard energy_in_closed_form(levels, 0.25, 2)
}
check levels against acceptance(levels)
