## Shapes that come up again and again, as functions: geometry g = plate_with_hole(2, 1, 0.1).
##
## Their boundaries keep the names of the parts: left right bottom top of the outline, rim of a hole.

## A plate of width w and height h around the origin with a round hole of radius r in its middle. Boundaries: left, right,
## bottom, top, rim.
fn plate_with_hole(w, h, r) {
  outline = rectangle(x: -w/2..w/2, y: -h/2..h/2)
  hole = disk(center: (0*w, 0*w), radius: r)
  return outline - hole
}

## A quarter of that plate, right and above of the symmetry lines x = 0 (left) and y = 0 (bottom), whose corner the hole cuts off.
fn quarter_plate(w, h, r) {
  outline = rectangle(x: 0*w..w/2, y: 0*h..h/2)
  hole = disk(center: (0*w, 0*w), radius: r)
  return outline - hole
}

## A channel of length L and height H from the origin. Boundaries: left (inflow), right, bottom, top.
fn channel(L, H) = rectangle(x: 0*L..L, y: 0*H..H)

## The same with a round obstacle. Boundaries: those of the channel, and rim.
fn channel_with_cylinder(L, H, center, r) {
  outline = rectangle(x: 0*L..L, y: 0*H..H)
  obstacle = disk(center: center, radius: r)
  return outline - obstacle
}

## An L-shaped bracket: arms of length L and width w from the corner at the origin, filleted by nothing. Boundaries: those of polygon,
## side1 bottom, side2 the end of the lower arm, side5 the end of the upright one, side6 the back.
fn bracket(L, w) = polygon([(0*L, 0*L), (L, 0*L), (L, w), (w, w), (w, L), (0*L, L)])

## A ring, or a pipe's section. Boundaries: inner, outer.
fn ring(inner, outer) = annulus(center: (0*inner, 0*inner), inner: inner, outer: outer)

test "plate with a hole" {
  g = plate_with_hole(2, 1, 0.2)
  m = mesh(g, h: 0.025)
  assert abs(integral(1, on: m) - (2 - pi*0.04)) < 1e-3
}
test "bracket" {
  assert abs(integral(1, on: mesh(bracket(1, 0.25), h: 0.1)) - 0.4375) < 1e-12
}
test "ring" {
  assert abs(integral(1, on: mesh(ring(1, 2), h: 0.1)) - 3*pi) < 0.02
}
test "channels" {
  assert abs(integral(1, on: mesh(channel(3, 1), cells: [6, 2])) - 3) < 1e-12
  assert abs(integral(1, on: mesh(channel_with_cylinder(2.2, 0.41, (0.2, 0.2), 0.05), h: 0.05)) - 2.2*0.41 + pi*0.0025) < 1e-3
  assert abs(integral(1, on: mesh(quarter_plate(2, 2, 0.5), h: 0.05)) - 1 + pi/16) < 1e-3
}
