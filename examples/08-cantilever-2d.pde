# A cantilever in plane stress against beam theory.
#
# Shows: the elasticity library, a traction, reactions, a picture of the deformed shape.
# Comes out: tip deflection -0.0402, beam theory with shear (Timoshenko) -0.0403; the wall carries the load.

import "mechanics/elasticity"

E = 1000.0; nu = 0.3; L = 10.0; H = 1.0; load = 0.01
geometry beam = rectangle(x: 0..L, y: 0..H)

pde cantilever on beam {
  unknown u : vector P2
  div(plane_stress(u, E, nu)) == 0
  on left: u == 0
  on right: dot(plane_stress(u, E, nu), n) == (0, -load/H)
  on others: dot(plane_stress(u, E, nu), n) == 0
}

sol = solve(cantilever, mesh(beam, cells: [80, 8]))
tip = sol.u.y(L, H/2)
beam_theory = -cantilever_tip(load, L, E, H^3/12) - cantilever_shear(load, L, E/(2*(1 + nu)), H)
print(f"tip {tip:.6f}, beam theory {beam_theory:.6f}")
print(f"force on the wall {flux(sol.u, left)[1]:.8f}")
stress_at_root = E*dx(sol.u.x)
print(f"bending stress at x = 2: {stress_at_root(2.0, H):.4f}, M c/J = {load*(L - 2)*(H/2)/(H^3/12):.4f}")
assert abs(tip/beam_theory - 1) < 0.005
check sol against reaction_balance(sol, u)
plot(von_mises_plane_stress(plane_stress(sol.u, E, nu)), "cantilever.png", deform: sol.u, title: "von Mises stress")
