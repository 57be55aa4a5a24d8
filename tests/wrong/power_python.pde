# Python's power.
field f = x**2 + y**2
