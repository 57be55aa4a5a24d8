# A structured mesh of a disk.
geometry d = disk(center: (0, 0), radius: 1)
m = mesh(d, cells: [16, 16])
