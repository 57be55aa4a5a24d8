# A unit after a name.
a = 3
L = a [mm]
