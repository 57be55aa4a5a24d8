# Places on a scale of temperature, and differences.
a = -20 [degC]
b = 30 [degC]
print(a, a to [degC], -40 [degF] to [degC])
#! expect: 253.15 [K] -20 [degC] -40 [degC]
print(b - a, (b - a) to [K], a + (b - a)/2 to [degC], b - 5 [K] to [degC])
#! expect: 50 [K] 50 [K] 5 [degC] 25 [degC]
rho = 101325 [Pa]/(287 [J/(kg*K)]*(b to [K]))
print(f"{rho:.3f}", 3 [W/(m^2*degC)])
#! expect: 1.165 [kg/m^3] 3 [W/(m^2*K)]
for T in 20 [degC]..30 [degC] by 5 [K] { print(T to [degC]) }
#! expect: 20 [degC]
#! expect: 25 [degC]
#! expect: 30 [degC]
# A measure of a difference is one, a part of it too; a ratio of two is a number.
geometry rod = interval(0 [m], 1 [m])
m = mesh(rod, cells: [4])
rise = b + 10 [K/m]*x - b
print(max(rise, on: m) to [K], mean(rise, on: m) to [K], integral(rise, on: m)/(1 [m]) to [K], max(b + rise, on: m) to [degC], b + max(rise, on: m) to [degC])
#! expect: 10 [K] 5 [K] 5 [K] 40 [degC] 40 [degC]
print(273.15 [K]*((b - a)/(50 [K])) to [degC], a + abs(a - b) to [degC], max(b, a) to [degC])
#! expect: 0 [degC] 30 [degC] 30 [degC]
