# G2.6 A Helmholtz field in a rectangle.
#
# Data: 1.5 x 1, -lap(u) - k^2 u = f with k = 10, f of the exact field cos(6 x + 8 y), a plane wave, with its values on the boundary.
# Qualification: reference, the plane wave.
import "qualify"
geometry room = rectangle(x: 0..1.5, y: 0..1)
field wave = cos(6*x + 8*y)
pde helmholtz(k = 10.0) on room {
  unknown u : scalar P2
  -lap(u) - k^2*u == 0
  on left, bottom: u == wave
  on right, top: dot(grad(u), n) == dot(grad(wave), n)
}
m = mesh(room, cells: [60, 40])
sol = solve(helmholtz, m)
by_reference("G2.6 Helmholtz", "u in L2", norm(sol.u - wave)/norm(wave, on: m), 1e-3)
check sol against residual(sol)
plot(sol.u, "helmholtz.png", title: "Plane wave, k = 10")
export(sol, "helmholtz.vtu")
