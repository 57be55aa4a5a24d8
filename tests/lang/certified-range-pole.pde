#! error E0509
#! status 1
# Where there may be no value there is no range.
fn share(a, b) = a/(a + b)
print(certified_range(share, a: 0..1, b: 0..1))
