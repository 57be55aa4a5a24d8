# Adding a length to a time names both.
a = 3 [m]
b = 2 [s]
print(a + b)
#! error E0302 4:7-4:12
#! status 1
