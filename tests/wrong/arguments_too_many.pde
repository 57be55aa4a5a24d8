# sin has one argument.
a = sin(1, 2)
