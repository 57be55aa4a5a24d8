# There is no % operator.
a = 7 % 3
