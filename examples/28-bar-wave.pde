# A bar that is pulled at its end: the wave of stress runs along it with the speed sqrt(E/rho), is doubled at the clamped end and comes back.
#
# Shows: second order in time, the scheme generalized_alpha with its damping, numbers recorded in every step, forces with inertia in them.
# Comes out: until the wave has come back, d'Alembert's solution u = -a + sigma/E*max(0, c t - (L - x)): the end moves with the speed sigma/(rho c)
# = 0.0253 m/s, the wave meets the clamped end at L/c = 197 us, and after that the clamp bears twice the pull.

geometry bar = interval(0 [m], 1 [m])
E = 200 [GPa]
rho = 7800 [kg/m^3]
sigma = 1 [MPa]
c = sqrt(E/rho)

pde pull on bar {
  unknown u : scalar P2 [m]
  rho*dtt(u) == div(E*grad(u))
  on left: u == 0
  on right: dot(E*grad(u), n) == sigma
  initially: u == 0
  initially: dt(u) == 0
}

m = mesh(bar, cells: [400])
end = 1.5*(1 [m])/c
sol = solve(pull, m, time: 0 [s]..end, step: end/1200, scheme: generalized_alpha, rho_inf: 0.5, outputs: [end/3, 2*end/3],
  record: (end: u(1 [m]), middle: u(0.5 [m]), clamp: flux(u, left)), probes: "bar.csv")

print(f"speed of the wave {c:.1f}")
speed = sol.u(1 [m])/end
print(f"speed of the end {speed:.5f}, exactly {sigma/(rho*c):.5f}")
quiet = (sol.u at (end/3))(0.45 [m])
arrived = (sol.u at (end/3))(0.55 [m])
print(f"at half of the way: ahead of the front {quiet/(1 [um]):.4f} um, behind it {arrived/(1 [um]):.4f} um, exactly {sigma/E*(0.05 [m])/(1 [um]):.4f} um")
print(f"force at the clamp, over the pull: {abs(flux(sol.u, left))/sigma:.3f}")
assert abs(speed/(sigma/(rho*c)) - 1) < 1e-3
assert abs(quiet) < 0.01*arrived and abs(arrived/(sigma/E*(0.05 [m])) - 1) < 0.02
assert abs(abs(flux(sol.u, left))/sigma - 2) < 0.02
plot(history(sol.u(0.5 [m])), "bar-wave.png", title: "the middle of the bar")
