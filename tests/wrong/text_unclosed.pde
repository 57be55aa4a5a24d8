# A text without its end.
print("the maximum is)
x0 = 1
