at = 3
param to = 4
for in in 1..2 { }
x = a.to
f(in: 3)
x = by
