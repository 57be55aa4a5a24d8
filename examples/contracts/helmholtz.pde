# Sound in a room with absorbing air, as a map of two outputs, under the packs of the Helmholtz equation.
#
# Shows: a complex field as a pair, a guard against resonances, linearity, phase and power as contracts, witnesses.
# Comes out: the solver passes; a model that is right at one phase only is rejected.
#
# -lap(w) - k^2 w + i s w == (a + i b) f in a unit square with soft walls, w = p + i q. The first eigenvalues of -lap are 2 pi^2 and 5 pi^2.

geometry room = rectangle(x: 0..1, y: 0..1)
field f = exp(-20*((x - 0.3)^2 + (y - 0.4)^2))

pde sound(a = 1.0, b = 0.0, k = 5.5, s = 1.0) on room {
  unknown p : scalar P2
  unknown q : scalar P2
  equation p: -lap(p) - k^2*p - s*q == a*f
  equation q: -lap(q) - k^2*q + s*p == b*f
  on left, right, top, bottom: p == 0
  on left, right, top, bottom: q == 0
}
map room_map {
  input a in -1..1, b in -1..1, k in 5..6, s in 1..5
  output p, q from solve(sound(a, b, k, s), mesh(room, cells: [8, 8]))
}
model lagging(a, b, k, s) for room_map { p = a*x*(1 - x)*y*(1 - y); q = -0.1*abs(a)*x*(1 - x)*y*(1 - y) }

contracts rules(m: model) {
  hard away_from_resonance(m, wave: k, eigenvalues: [2*pi^2, 5*pi^2], distance: 5)
  include damped_helmholtz(m, p, q, a, b, edge: p == 0, part: all, source: (p*b - q*a)*f, absorbed: s*(p^2 + q^2), radiated: 0*p)
}
v = audit room_map against rules { samples: 16; seed: 6 }
assert v.passed

test "one phase is not all" {
  accept trace(lagging, p == 0, part: left)
  reject source_linearity(lagging, sources: [a, b])
  reject phase(lagging, p, q, source_real: a, source_imaginary: b)
  reject rules(lagging)
}
