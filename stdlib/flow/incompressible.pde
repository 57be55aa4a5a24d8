## Incompressible viscous flow: stresses, dimensionless numbers, forces on bodies, profiles. Any consistent units, or none.
##
## Source: Batchelor, An Introduction to Fluid Dynamics, chapters 3 and 4.

## Stress of a Newtonian fluid, 2 mu eps(u) - p I.
fn fluid_stress(u, p, mu) = 2*mu*eps(u) - p*I

## The stress that outflow conditions usually take, mu grad(u) - p I: a parallel flow leaves undisturbed.
fn pseudo_stress(u, p, mu) = mu*grad(u) - p*I

## Reynolds number rho U L/mu.
fn reynolds(rho, U, L, mu) = rho*U*L/mu

## Coefficient of a force: 2 F/(rho U^2 A); in 2D A is a length.
fn force_coefficient(F, rho, U, A) = 2*F/(rho*U^2*A)

## Parabolic inflow between walls at y = a and y = b with the largest speed U: 4 U (s - a)(b - s)/(b - a)^2.
fn parabola(s, a, b, U) = 4*U*(s - a)*(b - s)/(b - a)^2

## Vorticity: in 2D dv/dx - du/dy, in 3D the vector curl(u).
fn vorticity(u) = curl(u)

## Rate at which viscosity turns work into heat, per volume: 2 mu eps(u):eps(u).
fn dissipation_rate(u, mu) = 2*mu*inner(eps(u), eps(u))

geometry _channel = rectangle(x: 0..2, y: 0..1)
pde _poiseuille(mu = 0.5) on _channel {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: div(pseudo_stress(u, p, mu)) == 0
  equation p: div(u) == 0
  on left: u == (parabola(y, 0, 1, 3), 0)
  on top, bottom: u == 0
  on right: dot(pseudo_stress(u, p, mu), n) == 0
}

test "a channel: parabola, pressure drop 8 mu U L/H^2, walls take what the pressure gives" {
  s = solve(_poiseuille, mesh(_channel, cells: [8, 4]))
  assert norm(s.u - (parabola(y, 0, 1, 3), 0*x)) < 1e-9
  assert abs(s.p(0, 0.5) - s.p(2, 0.5) - 24) < 1e-8
  (drag, push) = -integral(dot(pseudo_stress(s.u, s.p, 0.5), n), on: bottom)
  assert abs(push + 24) < 1e-8, "pressure falls from 24 to 0 over the length 2"
  assert abs(drag - 12) < 1e-8, f"mu dU/dy L = 12, not {drag}"
  assert abs(integral(dissipation_rate(s.u, 0.5)) - 48) < 1e-8, "the pressure's power p Q = 24*2"
  assert abs(integral(vorticity(s.u))) < 1e-8
  accept divergence_free(s, velocity: u)
  accept flux_balance(s, velocity: u)
}
test "numbers" {
  assert abs(reynolds(1, 0.2, 0.1, 1e-3) - 20) < 1e-12
  assert abs(force_coefficient(0.0111591, 1, 0.2, 0.1) - 5.57955) < 1e-9
}
