# No size at all.
geometry plate = rectangle(x: 0..1, y: 0..1)
m = mesh(plate)
