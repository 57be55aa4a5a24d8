# No `*` between number and parenthesis.
field f = 2(x + 1)
