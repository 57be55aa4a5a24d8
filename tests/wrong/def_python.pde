# A function as in Python.
def f(a):
  return a^2
print(f(2))
