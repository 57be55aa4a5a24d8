print(f"a {x:.3f", 1)
print(f"a {g(x}", 2)
print(f"{ { }", 3)
z = f"a\
y = f"{x
w = f"{x:
v = f"{x"
u = 1 1