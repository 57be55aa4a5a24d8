# What a formula shows for every input is proved beside the samples; a formula that only passes them is not.
geometry bar = interval(0, 1)
pde slab(q = 1.0, k = 2.0) on bar { unknown T : scalar P1; -k*lap(T) == q; on left: T == 0; on right: T == 0 }
m = mesh(bar, cells: [20])
map conduct { input q in 0..10, k in 1..5; output T from solve(slab(q: q, k: k), m) }
model closed(q, k) for conduct { T = q*x*(1 - x)/(2*k) }
model crooked(q, k) for conduct { T = q*x*(1 - x)/(2*k) + 1e-6*q^2*x*(1 - x) }
contract halved(m: model) {
  probe z in domain(m)
  violation = norm(2*m(z with (q: z.q/2)) - m(z))/max(norm(m(z)), 1e-2)
  tolerance = 0.05
}
contract ends(m: model) { probe z in domain(m); violation = norm(m(z), on: right)/0.1; tolerance = 1e-6 }
contract low(m: model) { probe z in domain(m); violation = max(0, max(m(z)) - 2); tolerance = 0.1 }
contract largest(m: model) { probe z in domain(m); violation = max(m(z))/2; tolerance = 1 }
check closed against halved(closed), ends(closed), low(closed), largest(closed)
#! expect: check closed
#! expect:   pass    hard halved    violation 0, tolerance 0.05, proved (0/0.146), 64 probes  an identity: multiplied out, its terms cancel
#! expect:   pass    hard ends      violation 0, tolerance 1e-06, proved (0/0.1), 64 probes  the factor 1 - x is 0 at x = 1
#! expect:   pass    hard low       violation 0, tolerance 0.1, proved, 64 probes  it is 0 over the domain, by certified ranges
#! expect:   pass    hard largest   violation 0.499, tolerance 1, at most 0.625 for all inputs (0.998/2), 64 probes
check crooked against halved(crooked), ends(crooked)
#! expect: check crooked
#! expect:   pass    hard halved    violation 4.55e-05, tolerance 0.05 (7.6e-06/0.167), 64 probes
#! expect:   pass    hard ends      violation 0, tolerance 1e-06, proved (0/0.1), 64 probes  every term has a factor that is 0 at x = 1: 1 - x
# Causality: a formula that reads its input at t and before.
import "contracts/general" as law
pde warm(f = 1.0) on bar { unknown T : scalar P1; dt(T) - lap(T) == f; on all: T == 0; initially: T == 0 }
map driven {
  input f(t) from bank [sin(6*t), t, 1 - t, 1]
  output T(t) from solve(warm(f), mesh(bar, cells: [4]), time: 0..1, step: 0.1)
}
model recalls(f) for driven { T = 0.1*(f at (t - 0.2))*x*(1 - x) }
check recalls against law.causality(recalls)
#! expect: check recalls
#! expect:   pass    hard causality  violation 0, tolerance 0.05, proved (0/0.00855), 64 probes  an identity: multiplied out, its terms cancel
