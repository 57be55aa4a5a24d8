## Heat conduction: flux laws, boundary data, slabs and fins with known answers. Any consistent units, or none.
##
## Source: Incropera, DeWitt, Bergman and Lavine, Fundamentals of Heat and Mass Transfer, 6th edition, chapters 1 to 5 and 12.

## Fourier's law: the heat flux -k grad(T).
fn heat_flux(T, k) = -k*grad(T)

## What convection brings in through a boundary, film*(T_fluid - T): on B: dot(k*grad(T), n) == film_gain(T, film, T_fluid).
fn film_gain(T, film, T_fluid) = film*(T_fluid - T)

## What radiation from surroundings brings in: emissivity*sigma*(T_around^4 - T^4), absolute temperatures. sigma is the
## Stefan-Boltzmann constant in the units of the program: 5.670374419e-8 [W/(m^2*K^4)].
fn radiation_gain(T, emissivity, sigma, T_around) = emissivity*sigma*(T_around^4 - T^4)

## Conductivity of a plane wall of layers in series, from thicknesses and conductivities: sum(d)/sum(d/k).
fn layered_conductivity(thicknesses, conductivities) {
  resistance = 0*thicknesses[0]/conductivities[0]
  for i in 0..len(thicknesses) - 1 { resistance = resistance + thicknesses[i]/conductivities[i] }
  return sum(thicknesses)/resistance
}

## Tip temperature above the fluid's, relative to the base's, of a straight fin with an adiabatic tip: 1/cosh(m L),
## m = sqrt(film*perimeter/(k*area)).
fn fin_tip(film, perimeter, k, area, L) = 1/cosh(sqrt(film*perimeter/(k*area))*L)

## Biot number film*L/k.
fn biot(film, L, k) = film*L/k

## Diffusivity k/(rho*c).
fn diffusivity(k, rho, c) = k/(rho*c)

geometry _line = interval(0, 1)
pde _wall(k = 2.0, film = 3.0) on _line {
  unknown T : scalar P1
  div(k*grad(T)) == 0
  on left: T == 10
  on right: dot(k*grad(T), n) == film_gain(T, film, 4)
}
pde _hot(k = 1.0, s = 0.5) on _line {
  unknown T : scalar P1
  div(k*grad(T)) == 0
  on left: T == 2
  on right: dot(k*grad(T), n) == radiation_gain(T, 0.8, s, 1)
}

test "a wall with a film: heat passes through both resistances" {
  s = solve(_wall, mesh(_line, cells: [4]))
  assert abs(flux(s, right) + (10 - 4)/(1/2.0 + 1/3.0)) < 1e-11
  assert norm(heat_flux(s.T, 2).x - 7.2) < 1e-11
}
test "radiation" {
  s = solve(_hot, mesh(_line, cells: [4]))
  T = s.T(1)
  assert abs(2 - T - 0.4*(T^4 - 1)) < 1e-9
}
test "layers, numbers" {
  assert abs(layered_conductivity([0.1, 0.3], [1.0, 3.0]) - 2) < 1e-12
  assert abs(fin_tip(1, 1, 1, 1, 1) - 0.648054273663885) < 1e-12
  assert biot(2, 3, 6) == 1 and diffusivity(6, 2, 3) == 1
}
