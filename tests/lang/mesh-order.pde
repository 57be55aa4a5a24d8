#! error E1022
geometry d = disk(center: (0, 0), radius: 1)
area = integral(1, on: mesh(d, h: 0.5, order: 5))
print(area)
