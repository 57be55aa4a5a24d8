# What audits say of models whose violations are known: an exact linear operator, a planted cubic, a model that looks ahead, one that answers with
# nothing, one that is wrong on a boundary, one that is not a number.
#! status 2
geometry line = interval(0, 1)
pde conduct(q = 1.0) on line {
  unknown T : scalar P2
  -lap(T) == q
  on left, right: T == 0
}
map slab {
  input q in -1..1
  output T from solve(conduct(q), mesh(line, cells: [8]))
}
model exact(q) for slab { T = q*x*(1 - x)/2 }
model cubic(q) for slab { T = (q + 0.3*q^3)*x*(1 - x)/2 }
model empty(q) for slab { T = 1e-6*q*x*(1 - x)/2 }
model shifted(q) for slab { T = q*x*(1 - x)/2 + 0.05*q*x }
model broken(q) for slab { T = q*x*(1 - x)/2 + log(q) }

# The field of half the load, doubled: of q + c q^3 it is off by (3/4) c q^3, relative to q + c q^3, so violation = (3/4) c q^2/(1 + c q^2) where the
# floor is not active; 0.173 at q = 1 and c = 0.3.
contract doubled(m: model) {
  probe z in domain(m)
  violation = norm(2*m(z with (q: z.q/2)) - m(z))/max(norm(m(z)), 1e-2*scale(m))
  tolerance = 0.01
}
contracts linear(m: model) {
  hard superposition(m, loads: q)
  hard doubled(m)
  hard trace(m, T == 0, part: right)
}
contracts only_soft(m: model) { soft superposition(m, loads: q) }

a = audit exact against linear { samples: 64; seed: 5 }
b = audit cubic against linear { samples: 256; seed: 5; adversary { starts: 4; steps: 60 } }
c = audit empty against linear { samples: 64; seed: 5 }
d = audit shifted against linear { samples: 64; seed: 5 }
e = audit broken against linear { samples: 64; seed: 5 }
f = audit exact against only_soft { samples: 8; seed: 5 }
assert a.passed and a.viol_max < 1e-10
exact_worst = 0.75*0.3/(1 + 0.3)
found = b.checks[1].adversary
assert abs(found/exact_worst - 1) < 0.01, f"the search found {found}, not {exact_worst}"
assert b.checks[1].v <= found*(1 + 1e-9) and b.checks[1].v > 0.97*exact_worst
assert len(b.failures) == 2 and not b.passed and b.gate == "fail"
assert len(c.failures) == 1 and c.failures[0].contract == "non_trivial" and not c.passed
assert len(d.failures) == 1 and not d.passed
assert d.failures[0].contract == "trace(m, T == 0, part: right)"
assert e.gate == "error" and not e.passed and e.checks[0].status == "error"
assert f.gate == "no_active_hard" and not f.passed

pde warm(f = 0.0) on line {
  unknown T : scalar P1
  dt(T) == lap(T) + f
  on left, right: T == 0
  initially: T == 0
}
map driven {
  input f(t) from bank [sin(6*t), t, 1 - t, 1]
  output T(t) from solve(warm(f), mesh(line, cells: [4]), time: 0..1, step: 0.1)
}
model foresees(f) for driven { T = 0.1*(f at (t + 0.2))*x*(1 - x) }
model follows(f)  for driven { T = 0.1*(f at (t - 0.2))*x*(1 - x) }
contracts in_time(m: model) { hard causality(m) }
g = audit foresees against in_time { samples: 16; seed: 2 }
h = audit follows against in_time { samples: 16; seed: 2 }
assert not g.passed and g.checks[0].status == "fail"
assert h.passed and h.checks[0].v == 0
# Without a load nothing answers: the denominator is its floor, and the violation stays finite.
contract at_rest(m: model) {
  probe z in domain(m)
  o = z with (q: 0*z.q)
  violation = norm(m(o))/max(norm(m(o)), 1e-2*scale(m))
  tolerance = 0.01
}
contracts resting(m: model) { hard at_rest(m) }
r = audit exact against resting { samples: 4; seed: 1 }
assert r.passed and r.checks[0].floor and r.checks[0].denominator > 0
