# FEniCS forum: charges 24.76 and -22.29 of a capacitor whose fluxes are equal and opposite. 400 x 50, 5 V above, 0 V on a part
# of the bottom, 80 x 10 cells, P1.
geometry plate {
  body = rectangle(x: 0..400, y: 0..50)
  shape = body
  boundary electrode = where y == 0 and 100 <= x <= 300
}
pde field_of on plate {
  unknown v : scalar P1
  div(grad(v)) == 0
  on top: v == 5
  on electrode: v == 0
  on others: dot(grad(v), n) == 0
}
s = solve(field_of, mesh(plate, cells: [80, 10]))
a = flux(s, top); b = flux(s, electrode)
assert abs(a + b) < 1e-10*abs(a), f"{a} {b}"
print("ok charges are equal and opposite")
assert 20 < a < 25, f"{a}"
assert abs(flux(s, left)) + abs(flux(s, right)) < 1e-10*a
print("ok nothing leaves through the insulated sides")
fine = solve(field_of, mesh(plate, h: 4))
assert abs(flux(fine, top) + flux(fine, electrode)) < 1e-10*a and abs(flux(fine, top)/a - 1) < 0.05, f"{flux(fine, top)} {a}"
print("ok a finer mesh: nearly the same charge, as exact a balance")
