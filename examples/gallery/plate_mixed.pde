# G2.1 A plate with conditions of all three kinds.
#
# Data: unit square, k = 1, source 2 pi^2 sin(pi x) sin(pi y) + boundary data of w = sin(pi x) sin(pi y) + x + 2 y: values at the left and
# right, flux at the bottom, Robin at the top.
# Qualification: reference, w.
import "qualify"
geometry plate = rectangle(x: 0..1, y: 0..1)
field w = sin(pi*x)*sin(pi*y) + x + 2*y
pde mixed on plate {
  unknown u : scalar P2
  -lap(u) == -lap(w)
  on left, right: u == w
  on bottom: dot(grad(u), n) == dot(grad(w), n)
  on top: dot(grad(u), n) == dot(grad(w), n) + 4*(w - u)
}
m = mesh(plate, cells: [40, 40])
sol = solve(mixed, m)
by_reference("G2.1 plate, mixed conditions", "u in L2", norm(sol.u - w)/norm(w, on: m), 1e-5)
check sol against residual(sol), balance(sol)
plot(sol.u, "plate_mixed.png", title: "Plate with mixed conditions")
export(sol, "plate_mixed.vtu")
