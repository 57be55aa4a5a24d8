# Bounds of functions and fields, certified.
fn wave(a, b = 2) = sin(a)*b - a^2/(1 + a^2)
(lo, hi) = certified_range(wave, a: -10..10)
print(lo < -2.9, hi > 1, hi - lo < 5)
#! expect: true true true
# no value is outside
param inside = 1 [m^2]
for a in linspace(-10, 10, 2001) { assert lo <= wave(a) <= hi, "a value outside of the certified range" }
(all_lo, all_hi) = certified_range(wave, a: -10..10, b: -2..2)
print(all_lo <= lo, all_hi >= hi)
#! expect: true true
fn angle(w) = if w < 0.5 then w else 1 - w
print(certified_range(angle, w: -1..1))
#! expect: (-1, 0.5)
fn stiffness(E, nu) = E/(1 - nu^2)
(a, b) = certified_range(stiffness, E: 200 [GPa]..210 [GPa], nu: 0.25..0.3)
print(a to [GPa], b to [GPa])
#! expect: 213.3333333 [GPa] 230.7692308 [GPa]
field f = x*y + inside
print(certified_range(f, x: 0 [m]..1 [m], y: 0 [m]..2 [m]), certified_range(f, x: 0 [m]..1 [m], y: 1 [m], inside: 2 [m^2]..3 [m^2]))
#! expect: (1 [m^2], 3 [m^2]) (2 [m^2], 4 [m^2])
