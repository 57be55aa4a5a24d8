# Current through a plate between two pins: one is fed by a battery with an inner resistance, one is grounded, a third pin floats.
#
# Shows: unknown numbers as values on boundaries, with the current through each as their equations.
# Comes out: the current that the battery gives is what the grounded pin takes, none passes the floating one; resistance by Ohm's law for both ways.

geometry sheet {
  plate  = rectangle(x: 0..4, y: 0..2)
  source = disk(center: (1, 1), radius: 0.2)
  sink   = disk(center: (3, 1), radius: 0.2)
  probe  = disk(center: (2, 1.5), radius: 0.1)
  shape  = plate - source - sink - probe
}
pde current(sigma = 5.0, battery = 12.0, R = 0.4) on sheet {
  unknown u : scalar P2
  unknown V, W : number                    # potentials of the fed pin and of the probe
  div(sigma*grad(u)) == 0
  on source: u == V
  on sink: u == 0
  on probe: u == W
  on others: dot(sigma*grad(u), n) == 0
  equation V: integral(dot(sigma*grad(u), n), on: source) == (battery - V)/R
  equation W: integral(dot(sigma*grad(u), n), on: probe) == 0
}

m = mesh(sheet, h: 0.12)
sol = solve(current, m)
I = flux(sol.u, source)
print(f"V = {sol.V:.3f}, probe {sol.W:.3f}, current {I:.3f}: the sheet has {sol.V/I:.4f} ohm")
check sol against abs(I + flux(sol.u, sink)) <= 1e-8*I, abs(flux(sol.u, probe)) <= 1e-8*I,
  abs(12 - sol.V - 0.4*I) <= 1e-8,
  abs(sol.W - sol.V/2) <= 1e-3*sol.V               # halfway between two equal pins
stiff = solve(current, m, R: 4)
check stiff against abs(stiff.V/flux(stiff.u, source) - sol.V/I) <= 1e-8
plot(sol.u, "potential.png", contours: 15)
