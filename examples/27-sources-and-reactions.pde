# Consecutive decay along a pipe: A to B to C, carried by the flow.
#
# Shows: three unknowns in one pde, advection, reaction chains, an exact solution of the plug flow limit.
# Comes out: with little diffusion B peaks at x = log(4)/3 = 0.462, where the plug-flow formula has its largest value.

geometry pipe = interval(0, 2)
pde chain(k1 = 4.0, k2 = 1.0, D = 1e-4) on pipe {
  unknown a : scalar P2
  unknown b : scalar P2
  unknown c : scalar P2
  equation a: dx(a) == D*lap(a) - k1*a
  equation b: dx(b) == D*lap(b) + k1*a - k2*b
  equation c: dx(c) == D*lap(c) + k2*b
  on left { a == 1; b == 0; c == 0 }
  on right { dot(D*grad(a), n) == 0; dot(D*grad(b), n) == 0; dot(D*grad(c), n) == 0 }
}

sol = solve(chain, mesh(pipe, cells: [400]))
field plug = 4/3*(exp(-x) - exp(-4*x))
peak = max(sol.b)
print(f"peak of B {peak:.5f}, plug flow {4^(-1/3):.5f}; A + B + C at the end {sol.a(2.0) + sol.b(2.0) + sol.c(2.0):.6f}")
assert norm(sol.b - plug, Linf) < 2e-3 and abs(peak - 4^(-1/3)) < 1e-3
assert norm(sol.a + sol.b + sol.c - 1, Linf) < 1e-9, "the total is carried through"
check sol against range_bound(sol, a, low: 0, high: 1), range_bound(sol, b, low: 0, high: 1)
plot(sol.b, "b.png")
