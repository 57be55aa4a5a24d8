# One number for two directions.
geometry plate = rectangle(x: 0..1, y: 0..1)
m = mesh(plate, cells: [16])
