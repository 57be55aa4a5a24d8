# Logistic growth with diffusion, as a map, under the pack of reaction-diffusion.
#
# Shows: an equilibrium, an invariant region and a free energy as contracts; contracts one by one beside a pack; witnesses.
# Comes out: the solver passes. A model that grows without a limit is exact for small states, and is rejected: by the region and by the equilibrium.
#
# dt(u) = d lap(u) + u (1 - u) between insulated walls: u = 0 and u = 1 stay, 0 <= u <= 1 is not left, and the energy
# d/2 |grad u|^2 - u^2/2 + u^3/3 only falls (gradient flow; Smoller, Shock Waves and Reaction-Diffusion Equations, 1994, chapter 14).

geometry dish = interval(0, 1)
pde growth(s = 0.5, b = 0.0, d = 1.0) on dish {
  unknown u : scalar P2
  dt(u) == d*lap(u) + u*(1 - u)
  on left, right: dot(d*grad(u), n) == 0
  initially: u == s + b*cos(pi*x)
}
map dish_map {
  input s in 0..1, b in 0..0.1, d in 0.05..0.2
  output u(t) from solve(growth(s, b, d), mesh(dish, cells: [10]), time: 0..1, step: 0.05, scheme: bdf2)
}
model endless(s, b, d) for dish_map { u = (s + b*exp(-10*d*t)*cos(pi*x))*exp(t) }

contracts rules(m: model) {
  include reaction_diffusion(m, u, start: [s, b], setting: (1, 0), value: 1, low: -0.1, high: 1.1, initially: u == s + b*cos(pi*x), energy: d/2*dot(grad(u), grad(u)) - u^2/2 + u^3/3)
  hard equilibrium_kept(m, u, start: [s, b], setting: (0, 0), value: 0)
  hard uniform_limit(m, u, shape: b, state: u == s*exp(t)/(1 - s + s*exp(t)))
}
v = audit dish_map against rules { samples: 16; seed: 3 }
assert v.passed

test "growth without a limit" {
  accept initial_state(endless, u == s + b*cos(pi*x))
  reject invariant_region(endless, u, low: -0.1, high: 1.1)
  reject equilibrium_kept(endless, u, start: [s, b], setting: (1, 0), value: 1)
  reject rules(endless)
}
