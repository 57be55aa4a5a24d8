# V8. A cantilever of elasticity on any number of processes: the same numbers as on one.
#
# The box 2 x 0.4 x 0.4 with 32 x 16 x 16 cells (49,152 tetrahedra, 28,611 unknowns) is clamped at x = 0 and pulled by the traction (0, 0, -0.01)
# at x = 2; E = 1000, nu = 0.3. Without a reference, the script keeps its solution in cantilever.h5; with
#     mpiexec -n 4 pde run V8-cantilever-ranks.pde -D reference=1
# it reads that solution and compares.
# Accepted: relative differences of at most 1e-7 in the displacement field, the mean deflection of the tip, the strain energy and the stress
# integrated over 0.2 <= x <= 1.8 (without the ends).
import "mechanics/elasticity"

param cells = 16           # along the short sides; twice as many along the beam
param reference = 0        # 1: compare with cantilever.h5

geometry beam = box(x: 0..2, y: 0..0.4, z: 0..0.4)
fn sigma(u) = stress(u, 1000, 0.3)

pde cantilever on beam {
  unknown u : vector P1
  div(sigma(u)) == 0
  on x_min: u == 0
  on x_max: dot(sigma(u), n) == (0, 0, -0.01)
  on others: dot(sigma(u), n) == 0
}
fn tip(u) = mean(u.z, on: x_max)
fn energy(u) = integral(energy_density(sigma(u), u))
fn size(list) {
  total = 0.0
  for v in list { total = total + v^2 }
  return sqrt(total)
}
fn middle_stress(u) = size(integral(if 0.2 <= x <= 1.8 then sigma(u) else 0*sigma(u)))

s = solve(cantilever, mesh(beam, cells: [2*cells, cells, cells]))
print(f"tip {tip(s.u):.16e}, energy {energy(s.u):.16e}, stress {middle_stress(s.u):.16e}, norm {norm(s.u):.16e}")

if reference == 0 {
  save(s, "cantilever.h5")
} else {
  r = load("cantilever.h5")
  differences = tabulate((
    quantity: ["displacement field", "tip deflection", "strain energy", "integrated stress"],
    relative_difference: [norm(s.u - r.u)/norm(r.u), abs(tip(s.u)/tip(r.u) - 1), abs(energy(s.u)/energy(r.u) - 1), middle_stress(s.u - r.u)/middle_stress(r.u)]), title: "V8")
  print(differences)
  contracts agreement(d: study) {
    hard d.relative_difference[0] <= 1e-7
    hard d.relative_difference[1] <= 1e-7
    hard d.relative_difference[2] <= 1e-7
    hard d.relative_difference[3] <= 1e-7
  }
  check differences against agreement(differences)
}
