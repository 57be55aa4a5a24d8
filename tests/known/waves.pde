# Known answers: the Helmholtz equation. Two modes between walls, and one with absorption as a pair of real fields.

geometry line = interval(0, 1)
pde tube(a = 1.0, b = 0.0, k = 1.0) on line {
  unknown u : scalar P2
  -lap(u) - k^2*u == a*sin(pi*x) + b*sin(2*pi*x)
  on left, right: u == 0
}
map sounds {
  input a in -1..1, b in -1..1, k in 1..2
  output u from solve(tube(a, b, k), mesh(line, cells: [12]))
}
model exact(a, b, k) for sounds { u = a*sin(pi*x)/(pi^2 - k^2) + b*sin(2*pi*x)/(4*pi^2 - k^2) }
model crossed(a, b, k) for sounds { u = a*sin(2*pi*x)/(pi^2 - k^2) + 0*b }
model deaf(a, b, k) for sounds { u = sin(pi*x) + 0*a*b*k }
model mute(a, b, k) for sounds { u = 0*a*b*k*x }
model faintly_deaf(a, b, k) for sounds { u = 1e-6*sin(pi*x) + 0*a*b*k }

test "HZ-RES" {
  accept away_from_resonance(sounds, wave: k, eigenvalues: [pi^2, 4*pi^2], distance: 5) v 0
  # k^2 reaches 4: pi^2 - 4 of 8; above 0.75; over a resonance
  reject away_from_resonance(sounds, wave: k, eigenvalues: [pi^2, 4*pi^2], distance: 8) v 1 - (pi^2 - 4)/8
  reject away_from_resonance(sounds, wave: k, eigenvalues: [0.75], distance: 1) v 0.75
  reject away_from_resonance(sounds, wave: k, eigenvalues: [2], distance: 1) v 1
  reject away_from_resonance(sounds, wave: k, eigenvalues: [0.75], distance: 1, power: 1) v 0.75
  skip away_from_resonance(sounds, wave: a, eigenvalues: [2], distance: 1)
}
test "HZ-LIN" {
  accept source_linearity(exact, sources: [a, b])
  accept source_linearity(sounds, sources: [a, b])
  # the same answer to all: once against twice
  reject source_linearity(deaf, sources: [a, b]) v 1
  accept source_linearity(mute, sources: [a, b]) v 0
  accept source_linearity(faintly_deaf, sources: [a, b]) v 1e-4*sqrt(1/2)/scale(sounds)
}
test "HZ-REC" {
  accept source_reciprocity(exact, u, sources: [a, b], density: a*sin(pi*x) + b*sin(2*pi*x))
  accept source_reciprocity(sounds, u, sources: [a, b], density: a*sin(pi*x) + b*sin(2*pi*x))
  # b a' against b' a: all, where their signs differ
  reject source_reciprocity(crossed, u, sources: [a, b], density: a*sin(pi*x) + b*sin(2*pi*x)) v 1
  accept source_reciprocity(mute, u, sources: [a, b], density: a*sin(pi*x) + b*sin(2*pi*x)) v 0
}

pde damped(a = 1.0, b = 0.0, k = 1.0, s = 1.0) on line {
  unknown p : scalar P2
  unknown q : scalar P2
  equation p: -lap(p) - k^2*p - s*q == a*sin(pi*x)
  equation q: -lap(q) - k^2*q + s*p == b*sin(pi*x)
  on left, right: p == 0
  on left, right: q == 0
}
map pair {
  input a in -1..1, b in -1..1, k in 1..2, s in 1..5
  output p, q from solve(damped(a, b, k, s), mesh(line, cells: [8]))
}
model complex(a, b, k, s) for pair {
  p = (a*(pi^2 - k^2) + b*s)/((pi^2 - k^2)^2 + s^2)*sin(pi*x)
  q = (b*(pi^2 - k^2) - a*s)/((pi^2 - k^2)^2 + s^2)*sin(pi*x)
}
model turned(a, b, k, s) for pair { p = a*sin(pi*x); q = -b*sin(pi*x) }
model passive(a, b, k, s) for pair { p = b*sin(pi*x); q = -a*sin(pi*x) }
model silent(a, b, k, s) for pair { p = 0*a*x; q = 0*b*x }

test "HZ-PH" {
  accept phase(complex, p, q, source_real: a, source_imaginary: b)
  accept phase(pair, p, q, source_real: a, source_imaginary: b)
  # turned the other way: off by 2 sin(angle)
  reject phase(turned, p, q, source_real: a, source_imaginary: b) v 2*sin(0.6)
  reject phase(turned, p, q, source_real: a, source_imaginary: b, angle: pi/2) v 2
  accept phase(silent, p, q, source_real: a, source_imaginary: b) v 0
}
test "HZ-PWR" {
  accept power_balance(complex, source: (p*b - q*a)*sin(pi*x), absorbed: s*(p^2 + q^2), radiated: 0*p)
  # of what is given a half is absorbed; all is kept, and as much comes in; half of it goes out
  reject power_balance(passive, source: (p*b - q*a)*sin(pi*x), absorbed: 0.5*(p^2 + q^2), radiated: 0*p) v 1/3
  reject power_balance(passive, source: (p*b - q*a)*sin(pi*x), absorbed: 0*p, radiated: -0.25*(a^2 + b^2)) v 1
  accept power_balance(silent, source: (p*b - q*a)*sin(pi*x), absorbed: s*(p^2 + q^2), radiated: 0*p) v 0
}
