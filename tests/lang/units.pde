# Units are carried, converted and printed.
L = 60 [mm]
F = 2 [kN]
print(L to [m], F/L^2, (20 [degC] + 5 [K]) to [degC])
#! expect: 0.06 [m] 555555.5556 [Pa] 25 [degC]
print(sqrt(4 [m^2]), 1 [bar] to [kPa], 0.5 [min] to [s])
#! expect: 2 [m] 100 [kPa] 30 [s]
