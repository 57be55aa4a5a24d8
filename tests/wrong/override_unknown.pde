# -D sets a parameter that the script does not have.
param nu = 0.25
print(nu)
