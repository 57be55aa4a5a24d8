# rho_inf: 0 is a value, not the default.
geometry g = interval(0, 1)
pde w on g { unknown T : scalar; dt(T) == lap(T); on all: T == 0; initially: T == x*(1 - x) }
m = mesh(g, cells: [16])
fn run(r) = norm(solve(w, m, time: 0..0.1, step: 0.05, scheme: generalized_alpha, rho_inf: r).T)
assert abs(run(0) - run(0.8)) > 1e-4
assert abs(run(0.0) - run(1e-9)) < 1e-6
print("differs")
#! expect: differs
