# Heat through a perforated plate whose holes are cooled.
#
# Shows: the shape `perforated`, all of its holes as one boundary and each by its number, the report of a mesh against the exact geometry.
# Comes out: what enters at the left leaves through the holes, three quarters of it through the first column.

geometry plate = perforated(x: 0..2, y: 0..1, holes: (6, 3), radius: 0.09)

pde heat on plate {
  unknown T : scalar P2
  div(grad(T)) == 0
  on left:   T == 1
  on holes:  dot(grad(T), n) == -2*T        # cooled from within
  on others: dot(grad(T), n) == 0
}
m = mesh(plate, h: 0.05)
print(mesh_report(m))
s = solve(heat, m)
lost = -flux(s.T, holes)
print(f"enters {flux(s.T, left):.5f}, leaves through the holes {lost:.5f}, through hole1 alone {-flux(s.T, hole1):.5f}")
first = -flux(s.T, hole1) - flux(s.T, hole7) - flux(s.T, hole13)
print(f"share of the first column {first/lost:.2f}")
assert abs(flux(s.T, left) - lost) < 1e-8*lost
plot(s.T, "perforated.png", mesh: true)
