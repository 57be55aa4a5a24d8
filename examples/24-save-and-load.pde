# A solution outlives its script: saved to HDF5, loaded again, exported for ParaView.
#
# Shows: save, load, export to VTU and CSV; a loaded solution keeps its pde, so that fluxes and contracts still work.
# Comes out: the same numbers before and after.

geometry ring = annulus(center: (0, 0), inner: 1, outer: 2)
pde capacitor on ring {
  unknown phi : scalar P2
  lap(phi) == 0
  on inner: phi == 1
  on outer: phi == 0
}

sol = solve(capacitor, mesh(ring, h: 0.04))
charge = flux(sol, inner)
print(f"charge {charge:.5f}, exact 2 pi/log 2 = {2*pi/log(2):.5f}")
assert abs(charge*log(2)/(2*pi) - 1) < 3e-4
save(sol, "capacitor.h5")
export(sol, "capacitor.vtu")
export(sol, "capacitor.csv")
again = load("capacitor.h5")
print(f"loaded: charge {flux(again, inner):.5f}, phi(1.5, 0) = {again.phi(1.5, 0):.5f}")
assert abs(flux(again, inner) - charge) < 1e-12
