# A range of more turns than an int counts.
d = 0
for i in 1..3e9 { d = d + 1; if d > 5 { break } }
print(d)
#! expect: 6
for x in 0..1 by 1e-10 { d = d + 1; if d > 11 { break } }
print(d)
#! expect: 12
