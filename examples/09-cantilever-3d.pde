# The same beam as a body in three dimensions.
#
# Shows: a box, tetrahedra, body force and traction, a picture of a 3D surface.
# Comes out: tip deflection within 2% of beam theory; reactions equal to load and weight.

import "mechanics/elasticity"

E = 1000.0; nu = 0.3; weight = 1e-4; load = 0.002
geometry bar = box(x: 0..5, y: 0..1, z: 0..1)

pde cantilever on bar {
  unknown u : vector P2
  -div(stress(u, E, nu)) == (0, 0, -weight)
  on x_min: u == 0
  on x_max: dot(stress(u, E, nu), n) == (0, 0, -load)
  on others: dot(stress(u, E, nu), n) == 0
}

sol = solve(cantilever, mesh(bar, cells: [20, 3, 3]))
tip = sol.u.z(5, 0.5, 0.5)
J = 1/12; G = E/(2*(1 + nu))
theory = -cantilever_tip(load, 5, E, J) - cantilever_shear(load, 5, G, 1) - weight*5^4/(8*E*J) - 1.2*weight*5^2/(2*G)
print(f"tip {tip:.6f}, beam theory {theory:.6f}")
reaction = flux(sol.u, x_min)
print(f"reaction of the wall {reaction[2]:.8f}, load and weight {load + 5*weight:.8f}")
assert abs(tip/theory - 1) < 0.02 and abs(reaction[2] - load - 5*weight) < 1e-10
check sol against reaction_balance(sol, u)
plot(sol.u.z, "bar.png", deform: sol.u)
