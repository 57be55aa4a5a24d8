# How a drum sounds: modes of a membrane, and of a bar in real units.
#
# Shows: eigensolve on an equation with lambda and on one with dtt, modes as fields, a count that misses no double eigenvalue.
# Comes out: the zeros of Bessel functions 2.4048, 3.8317 (twice), 5.1356 (twice), 5.5201 to 1e-3, and 1266 Hz for the bar.

radius = 1 [m]
geometry drum = disk(center: (0 [m], 0 [m]), radius: radius)
pde membrane on drum {
  unknown u : scalar P2 [m]
  -lap(u) == lambda*u
  on rim: u == 0
}
modes = eigensolve(membrane, mesh(drum, h: 0.06 [m]), count: 6)
for i in 0..5 { print(f"lambda {i}: {modes.values[i] to [1/m^2]:.4f}") }
bessel = [2.404826, 3.831706, 3.831706, 5.135622, 5.135622, 5.520078]
for i in 0..5 {
  omega = sqrt(modes.values[i])*radius
  print(f"omega {i}: {omega:.4f}")
  assert abs(omega/bessel[i] - 1) < 1e-3
}
plot(modes[3].u, "drum-mode.png")

length = 1 [m]
geometry bar = interval(0 [m], length)
E = 200 [GPa]
rho = 7800 [kg/m^3]
pde rod on bar {
  unknown u : scalar P2 [m]
  rho*dtt(u) == div(E*grad(u))
  on left: u == 0
  on right: dot(E*grad(u), n) == 0
  initially: u == 0
  initially: dt(u) == 0
}
waves = eigensolve(rod, mesh(bar, cells: [40]), count: 3)
frequency = sqrt(waves.values[0])/(2*pi)
print(f"lowest frequency {frequency to [Hz]}")
assert abs(frequency/(sqrt(E/rho)/(4*length)) - 1) < 1e-6
