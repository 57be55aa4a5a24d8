# `==` where a name is to get a value.
h0 == 0.1
geometry plate = rectangle(x: 0..1, y: 0..1)
m = mesh(plate, h: h0)
