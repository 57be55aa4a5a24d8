# A plate in space: heated on one side, radiating from the other.
#
# Shows: a nonlinear boundary condition with units, materials of the library.
# Comes out: the outer face settles where emissivity*sigma*T^4 equals the heat that comes in: 364.4 K; the inner one is 2.4 K warmer.

import "heat/conduction"
import "materials/metals"

sigma = 5.670374419e-8 [W/(m^2*K^4)]
d = 20 [mm]; q = 800 [W/m^2]; emissivity = 0.8
geometry plate = interval(0 [mm], d)

pde radiator on plate {
  unknown T : scalar P1 [K]
  div(titanium.k*grad(T)) == 0
  on left: dot(titanium.k*grad(T), n) == q
  on right: dot(titanium.k*grad(T), n) == radiation_gain(T, emissivity, sigma, 4 [K])
  initially: T == 300 [K]              # where Newton starts from
}

sol = solve(radiator, mesh(plate, cells: [8]))
outer = (q/(emissivity*sigma) + (4 [K])^4)^0.25
print("outer face", sol.T(d), "expected", outer)
print("inner face", sol.T(0 [mm]), "expected", outer + q*d/titanium.k)
assert abs(sol.T(d) - outer) < 1e-6 [K] and abs(sol.T(0 [mm]) - outer - q*d/titanium.k) < 1e-6 [K]
