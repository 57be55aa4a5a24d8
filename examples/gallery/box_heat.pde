# G5.3 Steady heat in a box with a variable conductivity.
#
# Data: 1 x 0.8 x 0.6, k = 1 + x/2, data of w = sin(2 x) cosh(y) + z^2: values at the sides, flux at the top.
# Qualification: reference, w; order 3 of P2 in L2.
import "qualify"
geometry block = box(x: 0..1, y: 0..0.8, z: 0..0.6)
field w = sin(2*x)*cosh(y) + z^2
field k = 1 + x/2
pde conduction on block {
  unknown u : scalar P2
  -div(k*grad(u)) == -div(k*grad(w))
  on z_max: dot(k*grad(u), n) == dot(k*grad(w), n)
  on others: u == w
}
m = mesh(block, cells: [8, 8, 8])
a = solve(conduction, mesh(block, cells: [4, 4, 4]))
sol = solve(conduction, m)
by_reference("G5.3 box, steady heat", "u in L2", norm(sol.u - w)/norm(w, on: m), 1e-4)
by_reference("G5.3 box, steady heat", "order in L2, which is 3,", abs(log(norm(a.u - w)/norm(sol.u - w))/log(2) - 3), 0.2)
check sol against residual(sol), balance(sol)
plot(sol.u, "box_heat.png", title: "Steady heat in a box")
export(sol, "box_heat.vtu")
