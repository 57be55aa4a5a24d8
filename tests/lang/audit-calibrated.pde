# What an audit measures on the reference, and which tolerances say nothing: recorded cases or solves of the map, and their rounding to the precision of a model.
geometry line = interval(0, 1)
pde conduct(q = 1.0, k = 1.0) on line {
  unknown T : scalar P1
  -k*lap(T) == q*(1 + x)
  on left, right: T == 0
}
map slab {
  input q in 0..1, k in 1..2
  output T from solve(conduct(q, k), mesh(line, cells: [4]))
}
model good(q, k) for slab { T = q/k*(2*x/3 - x^2/2 - x^3/6) }
data = sample(slab, 12, design: lhs, seed: 4, file: "audit-calibrated.npz")
model seen for slab { file: "audit-calibrated.npz"; precision: single }
contract close(m: model, law: condition) {
  probe z in domain(m)
  violation = norm(residual(law, m(z)))/scale(m)
  tolerance = 1e-4
}
contracts p(m: model) {
  hard close(m, T == q/k*(2*x/3 - x^2/2 - x^3/6)) tol default
  hard superposition(m, loads: q) tol 1e-18
  hard superposition(m, loads: q) tol 1e-9
}
v = audit good against p { samples: 16; calibrate: data }
w = audit good against p { samples: 16; calibrate: 4 }
u = audit good against p { samples: 16; calibrate: seen }
# the P1 solution differs from the exact one by about h^2
reference = v.checks[0].calibration
assert 0.05 < reference and reference < 0.15, f"{reference}"
assert abs(v.checks[0].tolerance - 3*reference) < 1e-12 and u.checks[0].calibration == reference
assert v.checks[1].status == "skipped_floor" and v.checks[1].rounding > 1e-17 and v.checks[1].rounding < 1e-15
assert v.checks[2].status == "pass" and v.checks[2].calibration < 1e-14
assert v.passed and v.vset != w.vset
# Predictions of single precision: rounding alone is 6e-8 of a value.
contracts tight(m: model) { hard close(m, T == q/k*(2*x/3 - x^2/2 - x^3/6)) tol 1e-9; hard close(m, T == 0) tol 10 }
s = audit seen against tight { samples: 8; calibrate: 4 }
assert s.checks[0].status == "skipped_floor" and s.checks[0].rounding > 1e-9 and s.checks[0].rounding < 1e-7, f"{s.checks[0].rounding}"
assert s.checks[1].status == "pass" and s.passed
