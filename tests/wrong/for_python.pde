# A loop as in Python.
for i in range(10):
  print(i)
