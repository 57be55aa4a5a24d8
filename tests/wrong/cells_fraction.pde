# Half a cell.
geometry plate = rectangle(x: 0..1, y: 0..1)
m = mesh(plate, cells: [16.5, 16])
