# G1.3 Diffusion along a polyline of uneven pieces.
#
# Data: vertices 0, 0.3, 1.1, 1.4, 2.2; k = 1 and 0.2 beyond 1.1, source 1, u = 0 at both ends.
# Qualification: reference, the piecewise quadratic solution.
import "qualify"
geometry line {
  shape = polyline([0, 0.3, 1.1, 1.4, 2.2])
  region good = where x < 1.1
  region poor = where x >= 1.1
}
field k { on good: 1; on poor: 0.2 }
pde conduction on line {
  unknown u : scalar P2
  -div(k*grad(u)) == 1
  on all: u == 0
}
sol = solve(conduction, mesh(line, h: 0.1))
# k u' = a - x on both pieces; u continuous at 1.1 and zero at the ends: a from a (1.1 + 1.1/0.2) = 1.1^2/2 + (2.2^2 - 1.1^2)/2/0.2
a = (1.1^2/2 + (2.2^2 - 1.1^2)/0.4)/(1.1 + 1.1/0.2)
field exact = if x < 1.1 then a*x - x^2/2 else (a*(x - 2.2) - (x^2 - 2.2^2)/2)/0.2
by_reference("G1.3 polyline", "u in L2", norm(sol.u - exact)/norm(sol.u), 1e-9)
check sol against residual(sol), balance(sol)
plot(along(sol.u, from: 0, to: 2.2), "polyline.png", title: "Diffusion along a polyline, k = 1 and 0.2")
export(sol, "polyline.vtu")
