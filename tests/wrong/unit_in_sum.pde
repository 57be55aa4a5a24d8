# Metres and seconds.
L = 2 [m] + 3 [s]
