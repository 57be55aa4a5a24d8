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
