# The same inside a pde, by its parameter and a param of the file.
param T_air = 20 [degC]
geometry rod = interval(0 [m], 1 [m])
pde heat(rise = 10 [degC]) on rod {
  unknown T : scalar P1 [K]
  field T_end = 5 [degC]
  lap(T) == 0 [K/m^2]
  on left: T == T_air + rise
  on right: T == T_end + x*1 [K/m]
}
