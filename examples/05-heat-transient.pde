# A rod that cools: one mode of the heat equation, which decays as exp(-pi^2 t).
#
# Shows: a transient solve, states at other times, the history of a quantity, reductions over a time window.
# Comes out: amplitude exp(-pi^2/10) = 0.372708 at t = 0.1, the computed one within 1e-4; history.png.

geometry rod = interval(0, 1)
pde heat on rod {
  unknown T : scalar P2
  dt(T) == lap(T)
  on all: T == 0
  initially: T == sin(pi*x)
}

sol = solve(heat, mesh(rod, cells: [40]), time: 0..0.2, step: 0.0025, scheme: crank_nicolson)
early = sol.T at 0.1
print(f"T(1/2) at 0.1: {early(0.5):.6f}, exact {exp(-pi^2/10):.6f}")
print(f"largest value of the second half: {max(sol.T, time: 0.1..0.2):.6f}")
assert abs(early(0.5) - exp(-pi^2/10)) < 1e-4
check sol against energy_decay(sol), positivity(sol), maximum_principle(sol)
plot(history(sol.T(0.5)), "history.png", title: "temperature in the middle")
