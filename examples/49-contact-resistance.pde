# A chip on a heat sink: the joint between them resists, so the temperature jumps there.
#
# Shows: a flux through an interface as a function of the jump, units, values on either side.
# Comes out: nearly three quarters of the temperature difference falls off at the joint if it is bad.

geometry stack {
  shape = rectangle(x: 0 [mm]..20 [mm], y: 0 [mm]..6 [mm])
  region sink = where y < 5 [mm]
  region chip = where y > 5 [mm]
  boundary die = where y == 6 [mm] and 6 [mm] < x < 14 [mm]
}
field k { on sink: 200 [W/m/K]; on chip: 130 [W/m/K] }

pde heat(R = 1e-4 [m^2*K/W]) on stack {
  unknown T : scalar P2 [K]
  div(k*grad(T)) == 0
  on bottom: T == 30 [degC] to [K]
  on die: dot(k*grad(T), n) == 20 [W]/(8 [mm]*20 [mm])             # heat enters
  on interface(chip, sink): dot(k*grad(T), n) == -jump(T)/R        # n from the chip to the sink, jump(T) = chip - sink
  on others: dot(k*grad(T), n) == 0
}

m = mesh(stack, cells: [40, 12])
for R in [1e-6, 1e-5, 1e-4] {
  s = solve(heat, m, R: R*1 [m^2*K/W])
  above = s.T(10 [mm], 5 [mm], from: chip)
  below = s.T(10 [mm], 5 [mm], from: sink)
  print(f"R = {R}: die {max(s.T, on: die) - 30 [degC]:.2f} above the bottom, jump at the joint {above - below:.2f}, through it {flux(s.T, interface(chip, sink)):.1f}")
  check s against balance(s)
}
s = solve(heat, m)
plot(s.T, "chip.png", title: "a bad joint")
