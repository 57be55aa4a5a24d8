# A recursion without end.
fn f(k) = f(k + 1)
print(f(1))
