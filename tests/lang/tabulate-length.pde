#! error E0506
#! status 1
# Columns of one length.
t = tabulate((step: [0.1, 0.05], error: [1e-2]))
print(t)
