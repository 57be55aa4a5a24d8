# A difference of temperatures has no zero to count from.
print((30 [degC] - 20 [degC]) to [degC])
