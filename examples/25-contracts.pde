# A contract of one's own, and a pack of them.
#
# Shows: a contract with a precondition, a pack with hard and soft rules, a verdict as a value, tests with witnesses.
# Comes out: all pass; `pde test 25-contracts.pde` runs the witnesses.

geometry square = rectangle(x: 0..1, y: 0..1)

## Heat flows from hot to cold: -grad(T) and the flux point the same way.   Source: second law.
contract second_law(sol: solution, u: output, k: real) {
  needs k > 0 else "no conductor"
  T = sol[u]
  violation = max(0, max(dot(-k*grad(T), grad(T))))/mean(k*dot(grad(T), grad(T)))
  tolerance = 1e-9
}
contracts conduction(sol: solution) {
  hard second_law(sol, T, k: 2)
  hard balance(sol)
  hard maximum_principle(sol)
  soft amplitude_bound(sol, T, 10)  tol 0.1
}

pde heat(q = 0.0) on square {
  unknown T : scalar P1
  -div(2*grad(T)) == q
  on left: T == 0
  on right: T == 10
  on others: dot(2*grad(T), n) == 0
}

m = mesh(square, cells: [16, 16])
sol = solve(heat, m, q: 1)
v = check sol against conduction(sol)
print("passed:", v.passed)
assert v.passed

test "amplitude" {
  accept amplitude_bound(solve(heat, m), T, 10)
  reject amplitude_bound(solve(heat, m, q: 500), T, 10)
}
