# Factors side by side, as on paper.
a = 3
field f = pi x
print(a)
