## Contracts of models of the Helmholtz equation and of waves at one frequency: -lap(u) - k^2 u == f, with absorption or radiation where there is any.
##
## Known without an import; names, floors and tolerances as in contracts/heat. A complex field is a pair of outputs, real and imaginary. Near a resonance
## small errors become large: away_from_resonance comes first. Sources: Colton and Kress, Inverse Acoustic and Electromagnetic Scattering Theory, 2013,
## chapters 2 and 3; Morse and Ingard, Theoretical Acoustics, 1968, chapter 7.

## [HZ-RES] The range of the input `wave` keeps a distance from resonances: |k^2 - lambda| >= distance for the listed eigenvalues of -lap. `power` is 2 where
## the input is k, 1 where it is k^2. Judged over the whole range, not on samples; the violation is 1 at a resonance. Tolerance: none, it is a statement about numbers.
contract away_from_resonance(m: model, wave: input, eigenvalues: list, distance, power = 2) {
  needs lower(m, wave) >= 0 else "the wave number is negative"
  low = lower(m, wave)^power
  high = upper(m, wave)^power
  worst = 0.0
  for e in eigenvalues { worst = max(worst, 1 - max(0, low - e, e - high)/distance) }
  violation = worst
  tolerance = 1e-9
}

## [HZ-LIN] Linearity in the sources: the answer to the half sum is the half of both answers' sum. Tolerance 5e-2: learned; 1e-9 where it is built in.
contract source_linearity(m: model, sources: inputs) {
  probe z, w in domain(m)
  a = z with (sources: z[sources]/2)
  b = z with (sources: w[sources]/2)
  c = z with (sources: (z[sources] + w[sources])/2)
  violation = norm(m(c) - m(a) - m(b))/max(norm(m(c)), 1e-2*scale(m))
  tolerance = 0.05
}

## [HZ-REC] Reciprocity, without a conjugate: sources a heard at b are sources b heard at a, integral(f_a u_b) = integral(f_b u_a). `sources` are the inputs that
## `density` depends on, `source_reciprocity(m, u, sources: [a, b], density: a*f(x) + b*g(x))`; the operator and homogeneous conditions are symmetric. Relative to the
## sum of both sizes, with a floor of a ten-thousandth of what is typical. Tolerance 2e-2: an integral.
contract source_reciprocity(m: model, u: output, sources: inputs, density: field) {
  probe z, w in domain(m)
  a = m(z)
  b = m(z with (sources: w[sources]))
  there = integral(evaluate(density, a)*b[u])
  here = integral(evaluate(density, b)*a[u])
  floor = 1e-4*scale(m, of: density)*scale(m, of: u)
  violation = abs(there - here)/max(abs(there) + abs(here), floor)
  tolerance = 2e-2
}

## [HZ-PH] Phase: sources turned by exp(i phi) give fields turned by exp(i phi). `source_real` and `source_imaginary` are the parts of one complex input; both ranges
## are alike, and probes that turn out of them are left out.
contract phase(m: model, real: output, imaginary: output, source_real: input, source_imaginary: input, angle = 0.6) {
  c = cos(angle)
  s = sin(angle)
  probe z in domain(m) where abs(c*z[source_real] - s*z[source_imaginary]) <= upper(m, source_real) and abs(s*z[source_real] + c*z[source_imaginary]) <= upper(m, source_imaginary)
  turned = z with (source_real: c*z[source_real] - s*z[source_imaginary], source_imaginary: s*z[source_real] + c*z[source_imaginary])
  f = m(z)
  g = m(turned)
  off = norm(g[real] - (c*f[real] - s*f[imaginary])) + norm(g[imaginary] - (s*f[real] + c*f[imaginary]))
  violation = off/max(norm(f[real]) + norm(f[imaginary]), 1e-2*(scale(m, of: real) + scale(m, of: imaginary)))
  tolerance = 0.05
}

## [HZ-PWR] What sources give is absorbed or radiated: integral(source) = integral(absorbed) + integral(radiated, on: all), relative to the sum of their sizes. Of
## -lap(w) - k^2 w + i s w == f with w = p + i q these are the parts of conj(w) f: `power_balance(m, source: p*f_i - q*f_r, absorbed: s*(p^2 + q^2), radiated: 0*p)`. Tolerance 5e-2.
contract power_balance(m: model, source: field, absorbed: field, radiated: field) {
  probe z in domain(m)
  f = m(z)
  given = integral(evaluate(source, f))
  lost = integral(evaluate(absorbed, f))
  gone = integral(evaluate(radiated, f), on: all)
  violation = abs(given - lost - gone)/max(abs(given) + abs(lost) + abs(gone), 1e-4*largest(m, of: source)*measure(m))
  tolerance = 0.05
}

# --- packs ---

## The Helmholtz equation: hard are the distance from resonances, linearity in the sources and boundary values; reciprocity is a remark.
contracts helmholtz(m: model, u: output, sources: inputs, density: field, edge: condition, part: boundary, wave: input, eigenvalues: list, distance) {
  hard away_from_resonance(m, wave, eigenvalues, distance)
  hard source_linearity(m, sources)
  hard trace(m, edge, part)
  hard non_trivial(m)
  soft source_reciprocity(m, u, sources, density)
}

## The same with absorption or radiation, of a pair of outputs: linearity and boundary values are hard, phase and the balance of powers are remarks.
contracts damped_helmholtz(m: model, real: output, imaginary: output, source_real: input, source_imaginary: input, edge: condition, part: boundary, source: field, absorbed: field, radiated: field) {
  hard source_linearity(m, [source_real, source_imaginary])
  hard trace(m, edge, part)
  hard non_trivial(m)
  soft phase(m, real, imaginary, source_real, source_imaginary)
  soft power_balance(m, source, absorbed, radiated)
}

# --- witnesses ---

# Two modes between walls: the factors of the answer are 1/(pi^2 - k^2) and 1/(4 pi^2 - k^2).
geometry _line = interval(0, 1)
pde _tube(a = 1.0, b = 0.0, k = 1.0) on _line {
  unknown u : scalar P2
  -lap(u) - k^2*u == a*sin(pi*x) + b*sin(2*pi*x)
  on left, right: u == 0
}
map _sounds {
  input a in -1..1, b in -1..1, k in 1..2
  output u from solve(_tube(a, b, k), mesh(_line, cells: [12]))
}
model _exact(a, b, k) for _sounds { u = a*sin(pi*x)/(pi^2 - k^2) + b*sin(2*pi*x)/(4*pi^2 - k^2) }
model _crossed(a, b, k) for _sounds { u = a*sin(2*pi*x)/(pi^2 - k^2) }
model _clipped(a, b, k) for _sounds { u = abs(a)*sin(pi*x)/(pi^2 - k^2) + 0.001 }
model _deaf(a, b, k) for _sounds { u = sin(pi*x) + 0*a*b*k }

test "away_from_resonance" {
  accept away_from_resonance(_sounds, wave: k, eigenvalues: [pi^2, 4*pi^2], distance: 5) v 0
  # pi^2 - 4 = 5.8696 of 8; 4 pi^2 from below; a resonance inside of the range
  reject away_from_resonance(_sounds, wave: k, eigenvalues: [pi^2, 4*pi^2], distance: 8) v 1 - (pi^2 - 4)/8
  reject away_from_resonance(_sounds, wave: k, eigenvalues: [0.75], distance: 1) v 0.75
  reject away_from_resonance(_sounds, wave: k, eigenvalues: [2], distance: 1) v 1
}
test "source_linearity" {
  accept source_linearity(_exact, sources: [a, b])
  reject source_linearity(_clipped, sources: [a, b])
  reject source_linearity(_deaf, sources: [a, b]) v 1
}
test "source_reciprocity" {
  accept source_reciprocity(_exact, u, sources: [a, b], density: a*sin(pi*x) + b*sin(2*pi*x))
  accept source_reciprocity(_sounds, u, sources: [a, b], density: a*sin(pi*x) + b*sin(2*pi*x))
  # |a b' - a' b| of |a b'| + |a' b|: 1 where the signs differ
  reject source_reciprocity(_crossed, u, sources: [a, b], density: a*sin(pi*x) + b*sin(2*pi*x)) v 1
}

# With absorption, as a pair: w = (a + i b)/(pi^2 - k^2 + i s) sin(pi x).
pde _damped(a = 1.0, b = 0.0, k = 1.0, s = 1.0) on _line {
  unknown p : scalar P2
  unknown q : scalar P2
  equation p: -lap(p) - k^2*p - s*q == a*sin(pi*x)
  equation q: -lap(q) - k^2*q + s*p == b*sin(pi*x)
  on left, right: p == 0
  on left, right: q == 0
}
map _pair {
  input a in -1..1, b in -1..1, k in 1..2, s in 1..5
  output p, q from solve(_damped(a, b, k, s), mesh(_line, cells: [8]))
}
model _complex(a, b, k, s) for _pair {
  p = (a*(pi^2 - k^2) + b*s)/((pi^2 - k^2)^2 + s^2)*sin(pi*x)
  q = (b*(pi^2 - k^2) - a*s)/((pi^2 - k^2)^2 + s^2)*sin(pi*x)
}
model _turned(a, b, k, s) for _pair { p = a*sin(pi*x); q = -b*sin(pi*x) }
model _passive(a, b, k, s) for _pair { p = b*sin(pi*x); q = -a*sin(pi*x) }

test "phase" {
  accept phase(_complex, p, q, source_real: a, source_imaginary: b)
  # sources turn one way and the field the other: off by 2 sin(0.6)
  reject phase(_turned, p, q, source_real: a, source_imaginary: b) v 2*sin(0.6)
}
test "power_balance" {
  accept power_balance(_complex, source: (p*b - q*a)*sin(pi*x), absorbed: s*(p^2 + q^2), radiated: 0*p)
  # given a^2 + b^2, lost half of it, all of it, and again as much
  reject power_balance(_passive, source: (p*b - q*a)*sin(pi*x), absorbed: 0.5*(p^2 + q^2), radiated: 0*p) v 1/3
  reject power_balance(_passive, source: (p*b - q*a)*sin(pi*x), absorbed: 0*p, radiated: -0.25*(a^2 + b^2)) v 1
  accept power_balance(_passive, source: (p*b - q*a)*sin(pi*x), absorbed: 0*p, radiated: 0.25*(a^2 + b^2))
}
test "helmholtz" {
  accept helmholtz(_exact, u, sources: [a, b], density: a*sin(pi*x) + b*sin(2*pi*x), edge: u == 0, part: left, wave: k, eigenvalues: [pi^2], distance: 5)
  reject helmholtz(_clipped, u, sources: [a, b], density: a*sin(pi*x) + b*sin(2*pi*x), edge: u == 0, part: left, wave: k, eigenvalues: [pi^2], distance: 5)
}
test "damped_helmholtz" {
  accept damped_helmholtz(_complex, p, q, a, b, edge: p == 0, part: left, source: (p*b - q*a)*sin(pi*x), absorbed: s*(p^2 + q^2), radiated: 0*p)
  reject damped_helmholtz(_complex, p, q, a, b, edge: p == 1, part: left, source: (p*b - q*a)*sin(pi*x), absorbed: s*(p^2 + q^2), radiated: 0*p)
}
