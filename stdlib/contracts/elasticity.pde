## Contracts of models of elastic bodies at rest: what displacements owe to energy, equilibrium and reciprocity.
##
## Known without an import, as those in models.pde; probes, scale(m) and the floor are as there. Tractions, stresses and virtual displacements are
## fields of the map's outputs and inputs, in the units of the map: `traction: (fx, fy)`, `stress: plane_stress(u, E, nu)`. Integrals
## average the noise of a prediction away: 2e-2; what takes a derivative of it has 1e-1.

# --- reciprocity and energy ---

## [BETTI] The work of one load on the displacement of another is the work of the other on the first: |<ta, ub> - <tb, ua>| / (|<ta, ub>| + |<tb, ua>|),
## integrals of traction times displacement over `part`, with a floor of eta^2 S_t S. Same supports, other inputs equal. Source: Betti, 1872. Tolerance
## 2e-2: integrals.
contract reciprocity(m: model, u: output, loads: inputs, traction: field, part: boundary) {
  probe z, w in domain(m)
  other = z with (loads: w[loads])
  ab = integral(dot(evaluate(traction, m(z)), m(other)[u]), on: part)
  ba = integral(dot(evaluate(traction, m(other)), m(z)[u]), on: part)
  violation = abs(ab - ba)/max(abs(ab) + abs(ba), 1e-4*scale(m, of: traction, on: part)*scale(m, of: u, on: part))
  tolerance = 2e-2
}

## [EL-CLAP] Clapeyron: loads do twice the work that is stored, W = 2 U, where prescribed displacements are zero: |W - 2 U| / (|W| + 2 |U|), W the integral of
## traction times displacement over `part`, 2 U that of stress times strain. Exact for a Galerkin solution. Tolerance 2e-2: integrals.
contract work_energy(m: model, u: output, traction: field, part: boundary, stress: field) {
  probe z in domain(m)
  f = m(z)
  work = integral(dot(evaluate(traction, f), f[u]), on: part)
  twice = integral(inner(evaluate(stress, f), eps(f[u])))
  violation = abs(work - twice)/max(abs(work) + abs(twice), 1e-4*scale(m, of: traction, on: part)*scale(m, of: u, on: part))
  tolerance = 2e-2
}

## [EL-WPOS] Loads never do negative work: max(0, -W) / (||t|| S), norms over `part`. Tolerance 1e-3: a sign.
contract positive_work(m: model, u: output, traction: field, part: boundary) {
  probe z in domain(m)
  f = m(z)
  t = evaluate(traction, f)
  work = integral(dot(t, f[u]), on: part)
  violation = max(0, -work)/(max(norm(t, on: part), 1e-2*scale(m, of: traction, on: part))*scale(m, of: u, on: part))
  tolerance = 1e-3
}

## [EL-CSYM] The compliance matrix of two loads, C[i, j] the work of load i on the displacement of load j, is symmetric and positive semidefinite:
## the larger of |C12 - C21| / |C| and 10 max(0, -smallest eigenvalue) / |C|. Loads are applied at the upper ends of their ranges, others are zero. Reciprocity on
## unit loads. Tolerance 2e-2 for the symmetry, 2e-3 for the sign.
contract compliance_symmetric(m: model, u: output, first: input, second: input, traction: field, part: boundary) {
  needs upper(m, first) > 0 and upper(m, second) > 0 else "a load has no positive values"
  probe z in domain(m)
  a = m(z with (first: upper(m, first), second: 0))
  b = m(z with (first: 0, second: upper(m, second)))
  c11 = integral(dot(evaluate(traction, a), a[u]), on: part)
  c12 = integral(dot(evaluate(traction, a), b[u]), on: part)
  c21 = integral(dot(evaluate(traction, b), a[u]), on: part)
  c22 = integral(dot(evaluate(traction, b), b[u]), on: part)
  size = max(sqrt(c11^2 + c12^2 + c21^2 + c22^2), 1e-4*scale(m, of: traction, on: part)*scale(m, of: u, on: part))
  smallest = (c11 + c22)/2 - sqrt((c11 - c22)^2/4 + ((c12 + c21)/2)^2)
  violation = max(abs(c12 - c21)/size, -10*smallest/size)
  tolerance = 2e-2
}

## [EL-MONO] The work of given loads falls as a stiffness grows: max(0, W(E2) - W(E1)) / |W(E1)|, E1 < E2. Tolerance 1e-3: an order.
contract stiffer_moves_less(m: model, u: output, stiffness: input, traction: field, part: boundary) {
  probe z, w in domain(m) where z[stiffness] < w[stiffness]
  stiff = z with (stiffness: w[stiffness])
  soft_work = integral(dot(evaluate(traction, m(z)), m(z)[u]), on: part)
  stiff_work = integral(dot(evaluate(traction, m(stiff)), m(stiff)[u]), on: part)
  violation = max(0, stiff_work - soft_work)/max(abs(soft_work), 1e-4*scale(m, of: traction, on: part)*scale(m, of: u, on: part))
  tolerance = 1e-3
}

# --- equilibrium ---

## [EL-EQ] Reactions and loads balance, force by force, by virtual work: for a virtual displacement that is zero where (and in the components in which) the
## body is held, the stress does the work of the loads, |<stress, grad v> - <t, v>| / (|<stress, grad v>| + |<t, v>|). On a unit square with rollers u.x == 0
## on the right, `virtual: (1 - x, 0)` balances the horizontal reaction with its loads, consistently with the nodal forces of a solver: it is exact for
## a Galerkin solution. Tolerance 2e-2: integrals.
contract reaction_balance(m: model, stress: field, traction: field, part: boundary, virtual: field) {
  probe z in domain(m)
  f = m(z)
  v = evaluate(virtual, f)
  inside = integral(inner(evaluate(stress, f), grad(v)))
  outside = integral(dot(evaluate(traction, f), v), on: part)
  violation = abs(inside - outside)/max(abs(inside) + abs(outside), 1e-2*scale(m, of: traction, on: part)*norm(v, on: part))
  tolerance = 2e-2
}

## [EL-TF] A free edge carries no traction: the mean of |stress n| over it, relative to the stress of the map's own fields in the body. Tolerance 1e-1: one
## derivative; corners of mixed conditions are singular, so name edges away from them.
contract traction_free(m: model, stress: field, part: boundary) {
  probe z in domain(m)
  t = dot(evaluate(stress, m(z)), n)
  violation = norm(t, on: part)/scale(m, of: stress)*sqrt(measure(m)/measure(m, on: part))
  tolerance = 0.1
}

## [EL-DIV] The stress is in equilibrium inside, in its weak form: over smooth virtual displacements that vanish on the boundary (`bumps`), the root of the sum of squares
## of integral(stress grad b - f b) over that of the sizes of its terms, integral(|stress grad b| + |f b|). Tolerance 2e-1: two derivatives of the field.
contract equilibrium(m: model, stress: field, force: field, count = 12) {
  probe z in domain(m)
  sigma = evaluate(stress, m(z))
  f = evaluate(force, m(z))
  off = 0
  size = 0
  for b in bumps(m, count: count) {
    off = off + norm(integral(dot(sigma, grad(b)) - f*b, degree: 5))^2
    size = size + integral(abs(dot(sigma, grad(b))) + abs(f)*b, degree: 5)^2
  }
  violation = sqrt(off)/max(sqrt(size), 1e-4*scale(m, of: stress))
  tolerance = 0.2
}

# --- motions and exact fields ---

## [EL-RBM] Prescribed displacements plus a rigid motion give the answer plus that motion: ||u(g + w) - u(g) - w|| / ||w||. The inputs `motion` set
## it, `displacement` is what they prescribe: `rigid_motion(m, motion: [ax, ay, r], displacement: (ax - r*y, ay + r*x))`. Tolerance 5e-2: learned.
contract rigid_motion(m: model, motion: inputs, displacement: field) {
  probe z, w in domain(m)
  moved = z with (motion: w[motion])
  d = evaluate(displacement, m(moved)) - evaluate(displacement, m(z))
  violation = norm(m(moved) - m(z) - d)/max(norm(d), 1e-2*scale(m))
  tolerance = 0.05
}

## [EL-PATCH] Where the exact displacement is linear (boundary data linear, no body force), it is predicted: ||u - (A x + b)|| / ||A x + b||, the linear
## field in terms of the inputs. Any field that is known exactly may stand there. Tolerance 1e-2: the accuracy of a good model.
contract strain_patch(m: model, linear: field) {
  probe z in domain(m)
  exact = evaluate(linear, m(z))
  violation = norm(m(z) - exact)/max(norm(exact), 1e-2*scale(m))
  tolerance = 1e-2
}

## [EL-NU] Stresses of given loads do not depend on Poisson's ratio (Michell, 1899): in plane stress E u is linear in nu, so its second difference is zero, ||u(nu1)
## - 2 u(nu) + u(nu2)|| / ||u(nu)||, nu in the middle; in plane strain (plane_strain: true) E u/(1 + nu) is, whose differences are taken. Simply
## connected, no body force, tractions and rollers that act as planes of symmetry. Tolerance 1e-3: strong; a solver reaches 1e-5.
contract stress_free_of_poisson(m: model, nu: input, plane_strain = false) {
  probe z, w in domain(m)
  middle = z with (nu: (z[nu] + w[nu])/2)
  other = z with (nu: w[nu])
  k = if plane_strain then 1 else 0
  a = m(z)/(1 + k*z[nu])
  b = m(middle)/(1 + k*middle[nu])
  c = m(other)/(1 + k*other[nu])
  violation = norm(a - 2*b + c)/max(norm(b), 1e-2*scale(m))
  tolerance = 1e-3
}

## [EL-SV] Saint-Venant: what loads in equilibrium among themselves cause dies out within two widths: ||q||_far / ||q||_near per unit of measure, q a stress or strain.
## Tolerance 5e-2.
contract saint_venant(m: model, q: field, far: region, near: region) {
  probe z in domain(m)
  f = evaluate(q, m(z))
  violation = norm(f, on: far)/max(norm(f, on: near), 1e-2*scale(m, of: q, on: near))*sqrt(measure(m, on: near)/measure(m, on: far))
  tolerance = 0.05
}

# --- a pack ---

## Linear elastic bodies at rest under loads, two of their supports named: `audit m against linear_elastic(m, u, loads: [fx, fy], stiffness: E, poisson: nu, traction:
## (fx, fy), part: top, stress: plane_stress(u, E, nu), first: u.x == 0, first_part: right, first_virtual: (1 - x, 0), second: u.y == 0, second_part: bottom,
## second_virtual: (0, y))`. Hard are superposition, 1/E, the supports and the balance of reactions with loads; soft what follows from them or wants more:
## the sign, reciprocity, Michell, Clapeyron and an amplitude.
contracts linear_elastic(m: model, u: output, loads: inputs, stiffness: input, poisson: input, traction: field, part: boundary, stress: field, first: condition,
  first_part: boundary, first_virtual: field, second: condition, second_part: boundary, second_virtual: field) {
  hard superposition(m, loads: loads)
  hard reciprocal_scaling(m, input: stiffness)
  hard trace(m, first, part: first_part)
  hard trace(m, second, part: second_part)
  hard reaction_balance(m, stress: stress, traction: traction, part: part, virtual: first_virtual)
  hard reaction_balance(m, stress: stress, traction: traction, part: part, virtual: second_virtual)
  soft sign_reversal(m, loads: loads)
  soft reciprocity(m, u, loads: loads, traction: traction, part: part)
  soft stress_free_of_poisson(m, nu: poisson)
  soft work_energy(m, u, traction: traction, part: part, stress: stress)
  soft amplitude_bound(m, u)
}

# --- witnesses: a square pulled at the top and on the left, held by rollers on the bottom and right; stresses are uniform ---

geometry _square = rectangle(x: 0..1, y: 0..1)
geometry _bar {
  shape = rectangle(x: 0..4, y: 0..1)
  region loaded = where x < 1
  region tail = where x > 2
}
fn _stress(u, E, nu) = E/(1 + nu)*eps(u) + E*nu/(1 - nu^2)*tr(eps(u))*I
pde _pulled(fx = 0.1, fy = 0.1, E = 10, nu = 0.25) on _square {
  unknown u : vector P1
  div(_stress(u, E, nu)) == 0
  on right { u.x == 0; dot(_stress(u, E, nu), n).y == 0 }
  on bottom { u.y == 0; dot(_stress(u, E, nu), n).x == 0 }
  on left, top: dot(_stress(u, E, nu), n) == (fx*n.x, fy*n.y)
}
map _plate {
  input fx in -0.3..0.3, fy in -0.3..0.3, E in 5..20, nu in 0.15..0.35
  output u from solve(_pulled(fx, fy, E, nu), mesh(_square, cells: [3, 3]))
}
fn _pull(fx, fy, E, nu) = ((fx - nu*fy)/E*(x - 1), (fy - nu*fx)/E*y)
model _exact(fx, fy, E, nu) for _plate { u = _pull(fx, fy, E, nu) }
model _doubled(fx, fy, E, nu) for _plate { u = 2*_pull(fx, fy, E, nu) }
model _opposed(fx, fy, E, nu) for _plate { u = -_pull(fx, fy, E, nu) }
model _one_way(fx, fy, E, nu) for _plate { u = (fx/E*(x - 1), (fy - nu*fx)/E*y) }
model _stiffening(fx, fy, E, nu) for _plate { u = E^2/100*_pull(fx, fy, E, nu) }
model _bent(fx, fy, E, nu) for _plate { u = _pull(fx, fy, E, nu)*(1 + 40*nu^2) }
model _strained(fx, fy, E, nu) for _plate { u = (1 + nu)*_pull(fx, fy, E, nu) }
model _lifted(fx, fy, E, nu) for _plate { u = _pull(fx, fy, E, nu) + (0.001, 0) }

# The same with a motion prescribed all around, and a bar whose end is loaded.
pde _carried(ax = 0.0, r = 0.0) on _square {
  unknown u : vector P1
  div(2*eps(u)) == 0
  on all: u == (ax - r*y + 0.01*x, r*x)
}
map _frame {
  input ax in 1..2, r in 0..0.1
  output u from solve(_carried(ax, r), mesh(_square, cells: [3, 3]))
}
model _rigid(ax, r) for _frame { u = (ax - r*y + 0.01*x, r*x) }
model _slack(ax, r) for _frame { u = (1.1*ax - r*y + 0.01*x, r*x) }
pde _pinched(f = 1.0) on _bar {
  unknown T : scalar P1
  -lap(T) + 9*T == 0
  on left: T == f
  on others: dot(grad(T), n) == 0
}
map _end {
  input f in 1..1.001
  output T from solve(_pinched(f), mesh(_bar, cells: [16, 2]))
}
model _fades(f) for _end { T = f*exp(-3*x) }
model _carries(f) for _end { T = f }

test "reciprocity, energy" {
  accept reciprocity(_exact, u, loads: [fx, fy], traction: (fx*n.x, fy*n.y), part: all)
  reject reciprocity(_one_way, u, loads: [fx, fy], traction: (fx*n.x, fy*n.y), part: all) v 0.8 within 0.3
  accept work_energy(_exact, u, traction: (fx*n.x, fy*n.y), part: left + top, stress: _stress(u, E, nu))
  # W twice, 2 U four times as large
  reject work_energy(_doubled, u, traction: (fx*n.x, fy*n.y), part: left + top, stress: _stress(u, E, nu)) v 1/3
  accept positive_work(_exact, u, traction: (fx*n.x, fy*n.y), part: all) v 0
  reject positive_work(_opposed, u, traction: (fx*n.x, fy*n.y), part: all) v 1.3 within 0.3
  accept compliance_symmetric(_exact, u, first: fx, second: fy, traction: (fx*n.x, fy*n.y), part: all)
  reject compliance_symmetric(_one_way, u, first: fx, second: fy, traction: (fx*n.x, fy*n.y), part: all) v 0.22 within 0.2
  reject compliance_symmetric(_opposed, u, first: fx, second: fy, traction: (fx*n.x, fy*n.y), part: all) v 9 within 0.2
  accept stiffer_moves_less(_exact, u, stiffness: E, traction: (fx*n.x, fy*n.y), part: all) v 0
  reject stiffer_moves_less(_stiffening, u, stiffness: E, traction: (fx*n.x, fy*n.y), part: all) v 2.6 within 0.3
}
test "equilibrium" {
  accept reaction_balance(_exact, stress: _stress(u, E, nu), traction: (fx*n.x, fy*n.y), part: left + top, virtual: (1 - x, 0))
  reject reaction_balance(_doubled, stress: _stress(u, E, nu), traction: (fx*n.x, fy*n.y), part: left + top, virtual: (0, y)) v 1/3
  accept traction_free(_exact, stress: _stress(u, E, nu) - [[0, 0], [0, fy]], part: top)
  reject traction_free(_exact, stress: _stress(u, E, nu), part: top) v 1 within 0.3
}
test "equilibrium inside" {
  accept equilibrium(_exact, stress: _stress(u, E, nu), force: (0, 0), count: 2)
  accept equilibrium(_exact, stress: _stress(u, E, nu) - [[x*fx, 0], [0, 0]], force: (fx, 0), count: 2)
  reject equilibrium(_exact, stress: [[x*fx, 0], [0, 0]], force: (fx, 0), count: 2) v 0.474 within 0.3
}
test "motions, exact fields" {
  accept rigid_motion(_rigid, motion: [ax, r], displacement: (ax - r*y, r*x))
  reject rigid_motion(_slack, motion: [ax, r], displacement: (ax - r*y, r*x)) v 0.126 within 0.3
  accept strain_patch(_exact, linear: _pull(fx, fy, E, nu))
  reject strain_patch(_doubled, linear: _pull(fx, fy, E, nu)) v 1
  accept stress_free_of_poisson(_exact, nu: nu)
  reject stress_free_of_poisson(_bent, nu: nu) v 0.24 within 0.3
  accept stress_free_of_poisson(_strained, nu: nu, plane_strain: true)
  accept saint_venant(_fades, q: T, far: tail, near: loaded)
  reject saint_venant(_carries, q: T, far: tail, near: loaded) v 1
}
test "the pack" {
  accept linear_elastic(_exact, u, loads: [fx, fy], stiffness: E, poisson: nu, traction: (fx*n.x, fy*n.y), part: left + top, stress: _stress(u, E, nu),
    first: u.x == 0, first_part: right, first_virtual: (1 - x, 0), second: u.y == 0, second_part: bottom, second_virtual: (0, y))
  reject linear_elastic(_lifted, u, loads: [fx, fy], stiffness: E, poisson: nu, traction: (fx*n.x, fy*n.y), part: left + top, stress: _stress(u, E, nu),
    first: u.x == 0, first_part: right, first_virtual: (1 - x, 0), second: u.y == 0, second_part: bottom, second_virtual: (0, y))
}
