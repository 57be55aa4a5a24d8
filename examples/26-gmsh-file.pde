# A bracket from a Gmsh file, in millimetres, made of aluminium.
#
# Shows: import_mesh with a unit, physical names as boundaries, the materials library, reactions, a stress in MPa.
# Comes out: the clamp carries the 500 N per metre of thickness and the moment; largest deflection 2.9 um.

import "mechanics/elasticity"
import "materials/metals"

m = import_mesh("data/bracket.msh", unit: [mm])
load_on = 500 [N/m]

pde bracket on m {
  unknown u : vector P2 [mm]
  field s = plane_stress(u, aluminium.E, aluminium.nu)
  div(s) == 0
  on clamp: u == 0
  on load: dot(s, n) == (0 [Pa], -load_on/(12 [mm]))
  on free: dot(s, n) == 0
}

sol = solve(bracket, m)
print(mesh_report(m))
reaction = flux(sol.u, clamp)
print("reaction of the clamp", reaction[1] to [N/m])
print("largest deflection", max(abs(sol.u)) to [um])
assert abs(reaction[1]/load_on - 1) < 1e-8
check sol against reaction_balance(sol, u)
plot(von_mises_plane_stress(plane_stress(sol.u, aluminium.E, aluminium.nu)), "bracket.png", deform: sol.u, title: "von Mises stress")
