# A cooling fin, every quantity with its unit.
#
# Shows: parameters with units, an affine unit (degC), a Robin condition, conversion with `to`, flux by reactions.
# Comes out: tip 73.44 degC and 172.8 W/m through the base; the one-dimensional fin formula says 73.4 degC and 172.9 W/m.

param L = 60 [mm]
param H = 4 [mm]
param film = 25 [W/(m^2*K)]
k = 200 [W/(m*K)]
T_air = 293 [K]
T_base = 80 [degC]                     # as an absolute value 353.15 K

geometry fin = rectangle(x: 0 [mm]..L, y: 0 [mm]..H)

pde cooling on fin {
  unknown T : scalar P2 [K]
  div(k*grad(T)) == 0
  on left: T == T_base
  on others: dot(k*grad(T), n) == film*(T_air - T)
}

sol = solve(cooling, mesh(fin, cells: [60, 4]))
tip = sol.T(L, H/2)
heat = flux(sol, left)
print("tip ", tip to [degC])
print("base", heat to [W/m])

# Fin with convection at its tip (Incropera et al., table 3.4, case A), m^2 = 2 film/(k H).
m = sqrt(2*film/(k*H))
q = film/(m*k)
rise = 1/(cosh(m*L) + q*sinh(m*L))
thin = T_air + (T_base - T_air)*rise
through = k*H*m*(T_base - T_air)*(sinh(m*L) + q*cosh(m*L))*rise
print("thin fin:", thin to [degC], through to [W/m])
assert abs(tip - thin) < 0.05 [K] and abs(heat/through - 1) < 1e-3
check sol against balance(sol), maximum_principle(sol)
plot(sol.T, "fin.png")
