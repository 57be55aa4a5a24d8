# Known answers: elastic bodies at rest. A square with rollers on the right and the bottom, pulled on the left and at the top: displacements are linear and stresses uniform, so
# works, norms and moments are numbers that can be written down. Loads 0.1 both, E 10, nu 1/4, all but fixed: u = 0.0075 (x - 1, y), stress 0.1 I.

geometry square = rectangle(x: 0..1, y: 0..1)
nodes = mesh(square, cells: [3, 3])
fn stress(u, E, nu) = E/(1 + nu)*eps(u) + E*nu/(1 - nu^2)*tr(eps(u))*I
fn pull(fx, fy, E, nu) = ((fx - nu*fy)/E*(x - 1), (fy - nu*fx)/E*y)

pde pulled(fx = 0.1, fy = 0.1, E = 10, nu = 0.25) on square {
  unknown u : vector P1
  div(stress(u, E, nu)) == 0
  on right { u.x == 0; dot(stress(u, E, nu), n).y == 0 }
  on bottom { u.y == 0; dot(stress(u, E, nu), n).x == 0 }
  on left, top: dot(stress(u, E, nu), n) == (fx*n.x, fy*n.y)
}
map plate {
  input fx in 0.1..0.10001, fy in 0.1..0.10001, E in 10..10.001, nu in 0.25..0.250025
  output u from solve(pulled(fx, fy, E, nu), nodes)
}
model exact(fx, fy, E, nu) for plate { u = pull(fx, fy, E, nu) }
model doubled(fx, fy, E, nu) for plate { u = 2*pull(fx, fy, E, nu) }
model opposed(fx, fy, E, nu) for plate { u = -pull(fx, fy, E, nu) }
model collapsed(fx, fy, E, nu) for plate { u = 0*pull(fx, fy, E, nu) }
model stiffening(fx, fy, E, nu) for plate { u = (if E < 10.0005 then 1 else 1.1)*pull(fx, fy, 10, nu) }
model kinked(fx, fy, E, nu) for plate { u = (if nu < 0.2500125 then 1 else 1.1)*pull(fx, fy, E, 0.25) }
model faint_kink(fx, fy, E, nu) for plate { u = 1e-6*(if nu < 0.2500125 then 1 else 1.1)*pull(fx, fy, E, 0.25) }
model strained(fx, fy, E, nu) for plate { u = (1 + nu)*pull(fx, fy, E, 0.25) }
model lifted(fx, fy, E, nu) for plate { u = pull(fx, fy, E, nu) + (0.001, 0) }

# the same with loads of either sign
map wide {
  input fx in -0.1..0.1, fy in -0.1..0.1
  output u from solve(pulled(fx, fy, 10, 0.25), nodes)
}
model reciprocal(fx, fy) for wide { u = pull(fx, fy, 10, 0.25) }
model pushes(fx, fy) for wide { u = -pull(fx, fy, 10, 0.25) }
# each load moves what the other works on, the one way with the sign of the other way
model one_way(fx, fy) for wide { u = (fy*(x - 1)/10, -fx*y/10) }
model still(fx, fy) for wide { u = (0*fx, 0*fy) }

test "the typical size" { assert abs(scale(plate)/(0.0075*sqrt(2/3)) - 1) < 1e-3 }
test "BETTI" {
  accept reciprocity(reciprocal, u, loads: [fx, fy], traction: (fx*n.x, fy*n.y), part: left + top)
  accept reciprocity(wide, u, loads: [fx, fy], traction: (fx*n.x, fy*n.y), part: left + top)
  reject reciprocity(one_way, u, loads: [fx, fy], traction: (fx*n.x, fy*n.y), part: left + top) v 1
  accept reciprocity(still, u, loads: [fx, fy], traction: (fx*n.x, fy*n.y), part: left + top) v 0
}
test "EL-CLAP" {
  accept work_energy(exact, u, traction: (fx*n.x, fy*n.y), part: left + top, stress: stress(u, E, nu))
  # W twice, 2 U four times as large
  reject work_energy(doubled, u, traction: (fx*n.x, fy*n.y), part: left + top, stress: stress(u, E, nu)) v 1/3
  reject work_energy(opposed, u, traction: (fx*n.x, fy*n.y), part: left + top, stress: stress(u, E, nu)) v 1
  accept work_energy(collapsed, u, traction: (fx*n.x, fy*n.y), part: left + top, stress: stress(u, E, nu)) v 0
}
test "EL-WPOS" {
  accept positive_work(exact, u, traction: (fx*n.x, fy*n.y), part: left + top) v 0
  # W = 2*0.1*0.0075, ||t|| = 0.1 sqrt(2), S = 0.0075 sqrt(2 (1 + 1/3))
  reject positive_work(opposed, u, traction: (fx*n.x, fy*n.y), part: left + top) v sqrt(3)/2
  accept positive_work(collapsed, u, traction: (fx*n.x, fy*n.y), part: left + top) v 0
}
test "EL-CSYM" {
  accept compliance_symmetric(reciprocal, u, first: fx, second: fy, traction: (fx*n.x, fy*n.y), part: left + top)
  # [[0, c], [-c, 0]]: 2 c of sqrt(2) c
  reject compliance_symmetric(one_way, u, first: fx, second: fy, traction: (fx*n.x, fy*n.y), part: left + top) v sqrt(2)
  # -[[1, -nu], [-nu, 1]]: ten times its smallest eigenvalue 1 + nu
  reject compliance_symmetric(pushes, u, first: fx, second: fy, traction: (fx*n.x, fy*n.y), part: left + top) v 12.5/sqrt(2.125)
  accept compliance_symmetric(still, u, first: fx, second: fy, traction: (fx*n.x, fy*n.y), part: left + top) v 0
}
test "EL-MONO" {
  accept stiffer_moves_less(exact, u, stiffness: E, traction: (fx*n.x, fy*n.y), part: left + top) v 0
  reject stiffer_moves_less(stiffening, u, stiffness: E, traction: (fx*n.x, fy*n.y), part: left + top) v 0.1
  accept stiffer_moves_less(collapsed, u, stiffness: E, traction: (fx*n.x, fy*n.y), part: left + top) v 0
}
test "EL-EQ" {
  accept reaction_balance(exact, stress: stress(u, E, nu), traction: (fx*n.x, fy*n.y), part: left + top, virtual: (1 - x, 0))
  reject reaction_balance(doubled, stress: stress(u, E, nu), traction: (fx*n.x, fy*n.y), part: left + top, virtual: (0, y)) v 1/3
  # no stress carries the loads
  reject reaction_balance(collapsed, stress: stress(u, E, nu), traction: (fx*n.x, fy*n.y), part: left + top, virtual: (1 - x, 0)) v 1
}
test "EL-TF" {
  accept traction_free(exact, stress: stress(u, E, nu) - [[0, 0], [0, fy]], part: top)
  # 0.1 of 0.1 sqrt(2)
  reject traction_free(exact, stress: stress(u, E, nu), part: top) v 1/sqrt(2)
  accept traction_free(collapsed, stress: stress(u, E, nu), part: top) v 0
}
test "EL-DIV" {
  accept equilibrium(exact, stress: stress(u, E, nu), force: (0, 0), count: 2)
  reject equilibrium(collapsed, stress: stress(u, E, nu), force: (fx, 0), count: 2) v 1
  # the stress of the force with the wrong sign: twice the force is left of both sizes
  reject equilibrium(exact, stress: [[x*fx, 0], [0, 0]], force: (fx, 0), count: 2) v 0.474 within 0.1
}
test "EL-PATCH" {
  accept strain_patch(exact, linear: pull(fx, fy, E, nu)) v 0
  accept strain_patch(plate, linear: pull(fx, fy, E, nu))
  reject strain_patch(doubled, linear: pull(fx, fy, E, nu)) v 1
  reject strain_patch(collapsed, linear: pull(fx, fy, E, nu)) v 1
  # 0.001 of 0.0075 sqrt(2/3)
  reject strain_patch(lifted, linear: pull(fx, fy, E, nu)) v 0.001/(0.0075*sqrt(2/3))
}
test "EL-NU" {
  accept stress_free_of_poisson(exact, nu: nu)
  accept stress_free_of_poisson(strained, nu: nu, plane_strain: true)
  # the step before the middle or behind it: 0.1 of 1.1 or of 1
  reject stress_free_of_poisson(kinked, nu: nu) v 0.1
  accept stress_free_of_poisson(collapsed, nu: nu) v 0
  accept stress_free_of_poisson(faint_kink, nu: nu) v 1e-5 within 0.02
}

# --- a motion that is prescribed all around; a bar whose end is loaded ---

pde carried(ax = 0.0) on square {
  unknown u : vector P1
  div(2*eps(u)) == 0
  on all: u == (ax + 0.01*x, 0)
}
map frame {
  input ax in 1..2
  output u from solve(carried(ax), nodes)
}
model rigid(ax) for frame { u = (ax + 0.01*x, 0*ax) }
model slack(ax) for frame { u = (1.1*ax + 0.01*x, 0*ax) }
model nailed(ax) for frame { u = (0.01*x, 0*ax) }

test "EL-RBM" {
  accept rigid_motion(rigid, motion: [ax], displacement: (ax, 0))
  accept rigid_motion(frame, motion: [ax], displacement: (ax, 0))
  reject rigid_motion(slack, motion: [ax], displacement: (ax, 0)) v 0.1
  # does not follow at all
  reject rigid_motion(nailed, motion: [ax], displacement: (ax, 0)) v 1
}

geometry bar {
  shape = rectangle(x: 0..4, y: 0..1)
  region loaded = where x < 1
  region tail = where x > 2
}
pde pinched(f = 1.0) on bar {
  unknown T : scalar P1
  -lap(T) + 9*T == 0
  on left: T == f
  on others: dot(grad(T), n) == 0
}
map ending {
  input f in 1..1.0001
  output T from solve(pinched(f), mesh(bar, cells: [16, 2]))
}
model fades(f) for ending { T = f*exp(-3*x) }
model carries(f) for ending { T = f + 0*x }
model grows(f) for ending { T = if x < 1.5 then f else 3*f }
model none_left(f) for ending { T = 0*f*x }

test "EL-SV" {
  accept saint_venant(fades, q: T, far: tail, near: loaded)
  reject saint_venant(carries, q: T, far: tail, near: loaded) v 1
  reject saint_venant(grows, q: T, far: tail, near: loaded) v 3
  accept saint_venant(none_left, q: T, far: tail, near: loaded) v 0
}

# --- locking: a long strip that is bent, in plane strain and all but without change of volume ---

geometry strip = rectangle(x: 0..4, y: 0..1)
pde bent(nu = 0.3) on strip {
  unknown u : vector P1
  div(eps(u)/(1 + nu) + nu/((1 + nu)*(1 - 2*nu))*tr(eps(u))*I) == 0
  on left: u == 0
  on right: dot(eps(u)/(1 + nu) + nu/((1 + nu)*(1 - 2*nu))*tr(eps(u))*I, n) == (0, 1)
  on top, bottom: dot(eps(u)/(1 + nu) + nu/((1 + nu)*(1 - 2*nu))*tr(eps(u))*I, n) == 0
}
pde bent_quadratic(nu = 0.3) on strip {
  unknown u : vector P2
  div(eps(u)/(1 + nu) + nu/((1 + nu)*(1 - 2*nu))*tr(eps(u))*I) == 0
  on left: u == 0
  on right: dot(eps(u)/(1 + nu) + nu/((1 + nu)*(1 - 2*nu))*tr(eps(u))*I, n) == (0, 1)
  on top, bottom: dot(eps(u)/(1 + nu) + nu/((1 + nu)*(1 - 2*nu))*tr(eps(u))*I, n) == 0
}
test "EL-LOCK" {
  m = mesh(strip, cells: [16, 4])
  free = solve(bent_quadratic, m, nu: 0.4999)
  finer = solve(bent_quadratic, mesh(strip, cells: [24, 6]), nu: 0.4999)
  accept no_locking(free, free.u.y, reference: integral(finer.u.y)) v 0
  # linear triangles move by a tenth of it
  stuck = solve(bent, m, nu: 0.4999)
  reject no_locking(stuck, stuck.u.y, reference: integral(free.u.y)) v 0.5 - integral(stuck.u.y)/integral(free.u.y)
  reject no_locking(free, 0*free.u.y, reference: integral(free.u.y)) v 0.5
  skip no_locking(free, free.u.y, reference: 0)
}
