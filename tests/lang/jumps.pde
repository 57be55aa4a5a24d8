# Integrals of what jumps: the error is estimated and said, unless the mesh follows the jump or the degree is chosen.
coarse = mesh(interval(0, 1), cells: [10])
fine = mesh(interval(0, 1), cells: [100])
rough = integral(if x < 0.33 then 1 else 0, on: coarse)
print(abs(rough - 0.33) > 1e-4, f"{integral(if x < 0.33 then 1 else 0, on: fine):.9f}")
print(integral(if x < 0.33 then 1 else 0, on: coarse, degree: 20) > 0.3)
geometry g {
  shape = rectangle(x: 0..1, y: 0..1)
  region low = where x < 0.33
}
print(f"{integral(1, on: mesh(g, h: 0.3).low):.6f}")
#! expect: true 0.330000000
#! expect: true
#! expect: 0.330000
#! error W2095
#! status 0
