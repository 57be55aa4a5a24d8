// a comment as in C
x0 = 1
