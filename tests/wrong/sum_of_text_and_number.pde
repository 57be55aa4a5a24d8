# Texts and numbers do not add up.
a = 3
print("a = " + a)
