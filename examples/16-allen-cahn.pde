# Phase separation: the Allen-Cahn equation coarsens a pattern.
#
# Shows: a gradient flow, its free energy as a history, an invariant range as a contract.
# Comes out: the energy falls at every step and |u| stays below 1; energy.png, phases.png.

geometry square = rectangle(x: 0..1, y: 0..1)
param width = 0.04
pde phases on square {
  unknown u : scalar P1
  dt(u) == width^2*lap(u) + u - u^3
  on all: dot(width^2*grad(u), n) == 0
  initially: u == 0.6*cos(4*pi*x)*cos(3*pi*y) + 0.3*cos(pi*x)
}

sol = solve(phases, mesh(square, cells: [40, 40]), time: 0..12, step: 0.25, scheme: backward_euler)
energy = history(integral(width^2/2*inner(grad(sol.u), grad(sol.u)) + (1 - sol.u^2)^2/4))
print(f"free energy from {max(energy):.6f} to {min(energy):.6f}, largest rise {largest_rise(energy):.1e}")
assert largest_rise(energy) < 1e-10
check sol against range_bound(sol, u, low: -1, high: 1), maximum_principle(sol)
plot(energy, "energy.png", title: "free energy")
plot(sol.u, "phases.png", contours: [0])
