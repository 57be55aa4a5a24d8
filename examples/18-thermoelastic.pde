# Coupled: temperature bends a two-layer strip, Timoshenko's bimetal.
#
# Shows: two unknowns with units, regions, thermal strain, the materials library.
# Comes out: curvature 0.48077/m, which is that of Timoshenko (1925) for two thin layers of equal thickness.

import "mechanics/elasticity"
import "materials/metals"

rise = 60 [K]; L = 40 [mm]; d = 1 [mm]
geometry strip {
  shape = rectangle(x: 0 [mm]..L, y: -d..d)
  region lower = where y < 0 [mm]
  region upper = where y >= 0 [mm]
  boundary root = where x == 0 [mm]
}
field E { on lower: aluminium.E; on upper: steel.E }
field nu { on lower: aluminium.nu; on upper: steel.nu }
field alpha { on lower: aluminium.alpha; on upper: steel.alpha }
field k { on lower: aluminium.k; on upper: steel.k }

pde bimetal on strip {
  unknown T : scalar P1 [K]
  unknown u : vector P2 [mm]
  field s = plane_stress(u, E, nu) + thermal_plane_stress(alpha, T, E, nu)      # T is the rise above the stress-free state
  equation T: div(k*grad(T)) == 0
  equation u: div(s) == 0
  on root { T == rise; u.x == 0; dot(s, n).y == 0 }
  on others { dot(k*grad(T), n) == 0; dot(s, n) == 0 }
  on point (0 [mm], 0 [mm]): u.y == 0 [mm]
}

sol = solve(bimetal, mesh(strip, cells: [80, 8]))
curvature = 2*(sol.u.y(30 [mm], 0 [mm]) - sol.u.y(10 [mm], 0 [mm]))/((30 [mm])^2 - (10 [mm])^2)
ratio = steel.E/aluminium.E
timoshenko = 24*(aluminium.alpha - steel.alpha)*rise/(2*d*(14 + ratio + 1/ratio))
print("curvature", curvature to [1/m], "Timoshenko", timoshenko to [1/m])
assert abs(curvature/timoshenko - 1) < 1e-4
plot(sol.u.y, "bimetal.png", deform: sol.u)
