# Numbers, lists, ranges, strings, functions.
print(2^-1, -2^2, 7/2, mod(-1, 3), 0.2%)
#! expect: 0.5 -4 3.5 2 0.002
xs = [1, 2, 3] ++ [4]
print(xs[0], xs[-1], xs[1..2], len(xs), sum(xs))
#! expect: 1 4 [2, 3] 4 10
fn fib(k) { if k < 2 { return k }; return fib(k - 1) + fib(k - 2) }
print(f"{fib(10)} {1/3:.3f} {{}}")
#! expect: 55 0.333 {}
s = 0
for i in 1..10 by 3 { if i == 7 { continue }; s = s + i }
print(s)
#! expect: 15
(a, b) = (3, 4)
print(if a < b then "less" else "more", 1 < a < 4, not true)
#! expect: less true false
# At most ten significant digits, whole numbers whole; a format gives more.
print(1/3, -2/3, 0.1 + 0.2, 1e10 + 1, 1e-7/3, 12345678.9, 2.0, -0.0, [1/7, 2], (0.5, 1/7))
#! expect: 0.3333333333 -0.6666666667 0.3 10000000001 3.333333333e-08 12345678.9 2 0 [0.1428571429, 2] (0.5, 0.1428571429)
print(f"{1/3} {1/3:.15g}")
#! expect: 0.3333333333 0.333333333333333
