# h is the cell size in fields, so a variable of that name is ambiguous.
h = 0.1
field k = 1 + h
