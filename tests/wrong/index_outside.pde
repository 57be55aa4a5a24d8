# Lists count from 0.
v = [10, 20, 30]
print(v[3])
