# -D gives a length in seconds.
param L = 60 [mm]
print(L)
