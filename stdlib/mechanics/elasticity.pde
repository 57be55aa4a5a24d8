## Linear isotropic elasticity: stress laws, measures of stress, energies. Any consistent units, or none.
##
## Source of the formulas: Timoshenko and Goodier, Theory of Elasticity, 3rd edition, chapters 1, 8 and 12.

## Lamé's parameters (mu, lambda) of Young's modulus E and Poisson's ratio nu.
fn lame(E, nu) = (E/(2*(1 + nu)), E*nu/((1 + nu)*(1 - 2*nu)))

## Bulk modulus.
fn bulk_modulus(E, nu) = E/(3*(1 - 2*nu))

## Stress of a displacement in 3D; in 2D that of plane strain: 2 mu eps(u) + lambda tr(eps(u)) I.
fn stress(u, E, nu) {
  (mu, la) = lame(E, nu)
  return 2*mu*eps(u) + la*tr(eps(u))*I
}

## In-plane stress of a thin plate, sigma_zz = 0: E/(1 + nu) eps(u) + E nu/(1 - nu^2) div(u) I.
fn plane_stress(u, E, nu) = E/(1 + nu)*eps(u) + E*nu/(1 - nu^2)*tr(eps(u))*I

## Stress that a rise of temperature by dT adds in 3D and plane strain: -(3 lambda + 2 mu) alpha dT I.
fn thermal_stress(alpha, dT, E, nu) = -E/(1 - 2*nu)*alpha*dT*I

## As thermal_stress, in plane stress: -E/(1 - nu) alpha dT I.
fn thermal_plane_stress(alpha, dT, E, nu) = -E/(1 - nu)*alpha*dT*I

## Von Mises equivalent stress in 3D: sqrt(3/2 s:s) of the deviator s.
fn von_mises(s) = sqrt(1.5*inner(dev(s), dev(s)))

## Von Mises stress of an in-plane stress in plane stress: sx^2 - sx sy + sy^2 + 3 sxy^2 = tr^2 - 3 det.
fn von_mises_plane_stress(s) = sqrt(max(tr(s)^2 - 3*det(s), 0*tr(s)^2))

## Von Mises stress of an in-plane stress in plane strain, where sigma_zz = nu tr(s).
fn von_mises_plane_strain(s, nu) = sqrt(max((1 - nu + nu^2)*tr(s)^2 - 3*det(s), 0*tr(s)^2))

## Stored energy per volume, s:eps(u)/2.
fn energy_density(s, u) = inner(s, eps(u))/2

## Deflection at the tip of a cantilever by an end load F: F L^3/(3 E J), and the part by shear, 1.2 F L/(G A) (rectangular section).
fn cantilever_tip(F, L, E, J) = F*L^3/(3*E*J)
fn cantilever_shear(F, L, G, A) = 1.2*F*L/(G*A)

geometry _square = rectangle(x: 0..1, y: 0..1)
geometry _cube = box(x: 0..1, y: 0..1, z: 0..1)

pde _pull(E = 10.0, nu = 0.3) on _square {
  unknown u : vector P1
  div(plane_stress(u, E, nu)) == 0
  on left { u.x == 0; dot(plane_stress(u, E, nu), n).y == 0 }
  on bottom { u.y == 0; dot(plane_stress(u, E, nu), n).x == 0 }
  on right: dot(plane_stress(u, E, nu), n) == (2, 0)
  on others: dot(plane_stress(u, E, nu), n) == 0
}
pde _press(E = 10.0, nu = 0.3) on _cube {
  unknown u : vector P1
  div(stress(u, E, nu)) == 0
  on all: u == (-0.01*x, -0.01*y, -0.01*z)
}

test "uniaxial tension: u = s/E (x, -nu y)" {
  s = solve(_pull, mesh(_square, cells: [4, 4]))
  assert norm(s.u - (0.2*x, -0.06*y)) < 1e-12
  assert abs(mean(von_mises_plane_stress(plane_stress(s.u, 10, 0.3))) - 2) < 1e-11
  assert abs(integral(energy_density(plane_stress(s.u, 10, 0.3), s.u)) - 0.2) < 1e-12, "s^2/(2 E)"
}
test "hydrostatic: tr(s) = 9 K e" {
  s = solve(_press, mesh(_cube, cells: [2, 2, 2]))
  assert abs(mean(tr(stress(s.u, 10, 0.3))) + 0.09*bulk_modulus(10, 0.3)) < 1e-12
  assert max(von_mises(stress(s.u, 10, 0.3))) < 1e-7
}
test "plane strain" {
  m = mesh(_square, cells: [2, 2])
  s = project((u: (0.1*x, 0*y)), m)
  (mu, la) = lame(10, 0.3)
  assert abs(mean(tr(stress(s.u, 10, 0.3))) - 0.2*(mu + la)) < 1e-12
  sz = la*0.1; sx = (2*mu + la)*0.1; sy = la*0.1
  expected = sqrt(((sx - sy)^2 + (sy - sz)^2 + (sz - sx)^2)/2)
  assert abs(mean(von_mises_plane_strain(stress(s.u, 10, 0.3), 0.3)) - expected) < 1e-12
}
