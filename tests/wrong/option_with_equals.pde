# Options too.
geometry plate = rectangle(x: 0..1, y: 0..1)
m = mesh(plate, h = 0.1)
