# No `*` between number and name.
field f = 2x
