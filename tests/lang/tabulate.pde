#! expect: errors
#! expect: what         n  error [m]
#! expect: coarse       8       0.04
#! expect: fine, last  16       0.01
#! expect: ["coarse", "fine, last"] 0.01 [m]
#! expect: 2 columns of 0 rows
#! expect: 1.5 1 0.5
# A table of lists; places compared within a field.
what = []
errors = []
for e in [0.04 [m], 0.01 [m]] {
  what = what ++ [if e > 0.02 [m] then "coarse" else "fine, last"]
  errors = errors ++ [e]
}
t = tabulate((what: what, n: [8, 16], error: errors), title: "errors")
print(t)
export(t, "errors.csv")
print(t.what, t.error[-1])
empty = tabulate((a: [], b: []))
print(f"2 columns of {len(empty.a)} rows")
m = mesh(interval(0 [m], 2 [m]), cells: [8])
one = integral(if x > 0.25 [m] and x < 1.75 [m] then 1 else 0, on: m)
two = integral(if x < 0.5 [m] or x > 1.5 [m] then 1 else 0, on: m)
three = integral(if not (0.25 [m] < x < 1.75 [m]) then 1 else 0, on: m)
print(one/(1 [m]), two/(1 [m]), three/(1 [m]))
