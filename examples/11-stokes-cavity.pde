# Creeping flow in a box under a moving lid.
#
# Shows: a Taylor-Hood pair, a mean constraint that fixes the pressure, a search with while, arrows.
# Comes out: the centre of the vortex at (0.5, 0.765); 0.7650 is the value of the literature (Shankar and Deshpande 2000).

geometry box2 = rectangle(x: 0..1, y: 0..1)
pde cavity on box2 {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: div(grad(u) - p*I) == 0
  equation p: div(u) == 0
  on top: u == (if 0 < x < 1 then 1 else 0, 0)         # still in the corners
  on left, right, bottom: u == 0
  mean(p) == 0
}

sol = solve(cavity, mesh(box2, cells: [32, 32]))
low = 0.5; high = 0.95
while high - low > 1e-6 {
  middle = 0.5*(low + high)
  if sol.u.x(0.5, middle) < 0 { low = middle } else { high = middle }
}
print(f"centre of the vortex at y = {low:.4f}")
assert abs(low - 0.7650) < 2e-3
check sol against no_slip(sol, u, part: bottom)
plot(sol.u, "cavity.png", arrows: true, title: "creeping flow under a lid")
