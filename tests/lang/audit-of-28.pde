# The elasticity map with 51 x 51 nodes, an analytic model of it, 28 contracts, 64 probes: under 2 s of a core, proofs and native code with it.
geometry square = rectangle(x: 0..1, y: 0..1)
fn stress_of(u, E, nu) = E/(1 + nu)*eps(u) + E*nu/(1 - nu^2)*tr(eps(u))*I
pde pulled(fx = 0.1, fy = 0.1, E = 10, nu = 0.25) on square {
  unknown u : vector P1
  div(stress_of(u, E, nu)) == 0
  on right { u.x == 0; dot(stress_of(u, E, nu), n).y == 0 }
  on bottom { u.y == 0; dot(stress_of(u, E, nu), n).x == 0 }
  on left, top: dot(stress_of(u, E, nu), n) == (fx*n.x, fy*n.y)
}
map plate {
  input fx in -0.3..0.3, fy in -0.3..0.3, E in 5..20, nu in 0.15..0.35
  output u from solve(pulled(fx, fy, E, nu), mesh(square, cells: [50, 50]))
}
model exact(fx, fy, E, nu) for plate { u = ((fx - nu*fy)/E*(x - 1), (fy - nu*fx)/E*y) }
contracts many(m: model) {
  hard superposition(m, loads: [fx, fy])
  hard homogeneity(m, loads: [fx, fy])
  hard homogeneity(m, loads: [fx, fy], factor: 0.25)
  hard affine_in_load(m, loads: [fx, fy])
  hard sign_reversal(m, loads: [fx, fy])
  hard zero_response(m, loads: [fx, fy])
  hard non_trivial(m)
  hard scaling(m, input: E, power: -1)
  hard reciprocal_scaling(m, input: E)
  hard continuity(m)
  hard trace(m, u.x == 0, part: right)
  hard trace(m, u.y == 0, part: bottom)
  hard amplitude_bound(m, u)
  hard range_bound(m, u.x, low: -0.2, high: 0.2)
  hard range_bound(m, u.y, low: -0.2, high: 0.2)
  hard natural_condition(m, dot(stress_of(u, E, nu), n) == (fx*n.x, fy*n.y), part: top)
  hard residual(m, flux: stress_of(u, E, nu)[0], source: 0)
  hard residual(m, flux: stress_of(u, E, nu)[1], source: 0)
  hard reciprocity(m, u, loads: [fx, fy], traction: (fx*n.x, fy*n.y), part: all)
  hard work_energy(m, u, traction: (fx*n.x, fy*n.y), part: left + top, stress: stress_of(u, E, nu))
  hard positive_work(m, u, traction: (fx*n.x, fy*n.y), part: all)
  hard compliance_symmetric(m, u, first: fx, second: fy, traction: (fx*n.x, fy*n.y), part: all)
  hard stiffer_moves_less(m, u, stiffness: E, traction: (fx*n.x, fy*n.y), part: all)
  hard reaction_balance(m, stress: stress_of(u, E, nu), traction: (fx*n.x, fy*n.y), part: left + top, virtual: (1 - x, 0))
  hard reaction_balance(m, stress: stress_of(u, E, nu), traction: (fx*n.x, fy*n.y), part: left + top, virtual: (0, y))
  hard equilibrium(m, stress: stress_of(u, E, nu), force: (0, 0))
  hard strain_patch(m, linear: ((fx - nu*fy)/E*(x - 1), (fy - nu*fx)/E*y))
  hard stress_free_of_poisson(m, nu: nu)
}
v = audit exact against many { samples: 64; seed: 3 }
assert v.passed and len(v.checks) == 28
proved = 0
for c in v.checks { if c.proved { proved = proved + 1 } }
assert proved >= 14, f"{proved} contracts are proved"
