# A plate that is quenched: fast at first, slow for long. The step follows from the error of each.
#
# Shows: step: auto with its tolerance, output times that are hit exactly, a checkpoint from which a killed run goes on, numbers recorded in every step.
# Comes out: the series solution at t = 0.1 and at t = 1 within ten times the tolerance, with steps between 1e-8, since the data
# jump at the left end at t = 0, and 0.03; equal steps of the shortest length would be more than 10^8. probes.csv can be followed while the run goes (tail -f), plate.h5 continues it: `resume: true`.

geometry slab = interval(0, 1)
pde quench on slab {
  unknown T : scalar P2
  dt(T) == lap(T)
  on left: T == 0
  on right: dot(grad(T), n) == 0
  initially: T == 1
}

sol = solve(quench, mesh(slab, cells: [200]), time: 0..2, step: auto, tol: 1e-4, outputs: [0.1, 1],
  record: (insulated: T(1), heat: integral(T), lost: flux(T, left)), probes: "probes.csv", checkpoint: "plate.h5", every: 50)

# T(1, t) = sum over k of 4/(pi (2k+1)) (-1)^k exp(-((2k+1) pi/2)^2 t)
fn series(t) {
  total = 0.0
  for k in 0..20 { total = total + 4/(pi*(2*k + 1))*(-1)^k*exp(-((2*k + 1)*pi/2)^2*t) }
  return total
}
for t in [0.1, 1] {
  now = (sol.T at t)(1)
  print(f"t = {t}: {now:.5f}, by the series {series(t):.5f}")
  assert abs(now - series(t)) < 1e-3
}
shortest = sol.smallest_step
assert shortest < 1e-5 and sol.largest_step > 0.02 and sol.steps < 1000
print(f"steps from 1e-8 to {sol.largest_step:.2f}")
