# A rod whose heating follows its own mean temperature: a nonlocal term.
#
# Shows: integral and mean of an unknown inside its equation, in time, and what a controller of that kind leaves.
# Comes out: with the gain g the mean settles at set*g/(12 + g): a proportional controller stays below what it is set to. The state there is
# q x (1 - x)/2 with q = g*set/(1 + g/12).

geometry rod = interval(0, 1)
pde heating(gain = 60.0, set = 20.0) on rod {
  unknown T : scalar P2
  dt(T) == lap(T) + gain*(set - mean(T))
  on all: T == 0
  initially: T == 0
}

m = mesh(rod, cells: [40])
sol = solve(heating, m, time: 0..1, step: 0.01)
q = 60*20/(1 + 60/12)
print(f"mean {mean(sol.T):.6f}, expected {q/12:.6f} of the {20} that are wanted")
check sol against abs(mean(sol.T) - q/12) <= 1e-6*q, norm(sol.T - q*x*(1 - x)/2) <= 1e-6*q
plot(history(mean(sol.T)), "mean.png", title: "mean temperature")
