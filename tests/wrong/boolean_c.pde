# && of C.
a = 1
if a > 0 && a < 2 { print(a) }
