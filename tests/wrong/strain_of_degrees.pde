# A thermal strain of a rise that is given in degC.
alpha = 1.2e-5 [1/K]
strain = alpha*80 [degC]
assert strain < 0.002, "the strain is taken from absolute zero"
