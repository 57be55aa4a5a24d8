# Heat through a furnace wall of steel whose conductivity was measured.
#
# Shows: table(...) with units as a function of the unknown, convection and radiation on one side.
# Comes out: the conductivity falls as the steel grows hot, so the temperature bends; what enters is what leaves.

k = table("data/steel.csv", method: monotone)
exchange = 25 [W/(m^2*K)]; sigma = 5.670374419e-8 [W/(m^2*K^4)]; Ta = 300 [K]
geometry wall = interval(0 [m], 0.2 [m])

pde heat on wall {
  unknown T : scalar P2 [K]
  div(k(T)*grad(T)) == 0
  on left: T == 900 [degC]
  on right: dot(k(T)*grad(T), n) == exchange*(Ta - T) + 0.8*sigma*(Ta^4 - T^4)
  initially: T == 900 [degC]
}

sol = solve(heat, mesh(wall, cells: [40]))
print("outer face", sol.T(0.2 [m]) to [degC])
print("flux", flux(sol.T, left))
assert abs(flux(sol.T, left) + flux(sol.T, right)) < 1e-9*abs(flux(sol.T, left))
