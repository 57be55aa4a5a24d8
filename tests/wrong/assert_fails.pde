# An assertion that does not hold.
a = 2
assert a < 1, "a is too large"
