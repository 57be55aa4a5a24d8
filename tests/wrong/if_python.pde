# A condition as in Python.
a = 1
if a > 0:
  print(a)
