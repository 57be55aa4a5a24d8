# Sound in a duct whose end lets it out: Helmholtz' equation with an impedance condition.
#
# Shows: a complex field as a pair of real ones, u = a + i b; the condition du/dn = i k u as two.
# Comes out: a plane wave exp(i k x) runs through and nothing comes back: |u| = 1 everywhere.

k = 12.0
geometry duct = rectangle(x: 0..2, y: 0..0.5)
pde sound on duct {
  unknown a : scalar P3
  unknown b : scalar P3
  equation a: -lap(a) - k^2*a == 0
  equation b: -lap(b) - k^2*b == 0
  on left { a == 1; b == 0 }                         # the source
  on right { dot(grad(a), n) == -k*b; dot(grad(b), n) == k*a }
  on others { dot(grad(a), n) == 0; dot(grad(b), n) == 0 }
}

sol = solve(sound, mesh(duct, cells: [48, 12]))
field size = sqrt(sol.a^2 + sol.b^2)
power = integral(sol.a*dx(sol.b) - sol.b*dx(sol.a), on: right)/k      # the power that leaves, for a wave of amplitude 1: the height
print(f"|u| from {min(size):.5f} to {max(size):.5f}, power {power:.5f}, coming in {0.5}")
check sol against norm(sol.a - cos(k*x)) <= 1e-4, norm(sol.b - sin(k*x)) <= 1e-4,
  abs(power - 0.5) <= 2e-4
plot(sol.a, "sound.png")
