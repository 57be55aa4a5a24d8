# dolfinx #2524 and pull 3713: steps of a simple decay were accepted after no iteration, the curve had stairs. Six decades.
geometry line = interval(0, 1)
pde decay(k = 1.0) on line { unknown c : scalar P1; dt(c) == -k*c; initially: c == 1 }
pde decay2(k = 1.0) on line { unknown c : scalar P1; dt(c) == -k*c*abs(c); initially: c == 1 }
m = mesh(line, cells: [2])
s = solve(decay, m, time: 0..14, step: 0.01, scheme: crank_nicolson)
worst = 0
for j in 1..140 {
  e = s.c at 0.1*j
  worst = max(worst, abs(e(0.3)/exp(-0.1*j) - 1))
}
assert worst < 2e-4, f"{worst}"
print("ok exp(-t) over six decades")
s = solve(decay, m, time: 0..14, step: 0.01, scheme: backward_euler)
ratio = s.c(0.5)*1.01^1400
assert abs(ratio - 1) < 1e-9, f"{ratio}"
print("ok every step multiplies by 1/1.01")
# Nonlinear: c = 1/(1 + t), every step needs an iteration of its own.
s = solve(decay2, m, time: 0..50, step: 0.05, scheme: bdf2)
worst = 0
for j in 1..50 { e = s.c at j; worst = max(worst, abs(e(0.3)*(1 + j) - 1)) }
assert worst < 2e-3, f"{worst}"
print("ok 1/(1 + t)")
