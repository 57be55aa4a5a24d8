# Celsius added to Celsius: a rise is in K.
T_air = 20 [degC]
rise = 10 [degC]
T_hot = T_air + rise
print(T_hot to [degC])
