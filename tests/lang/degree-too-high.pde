m = mesh(interval(0, 1), cells: [4])
print(integral(x, on: m, degree: 21))
#! error E0506 2:34-2:36
