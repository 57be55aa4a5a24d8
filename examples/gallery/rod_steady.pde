# G1.1 A rod with a source and a cooled end, steady.
#
# Data: length 2, k = 1 + x/2, source 3, u = 1 at the left end, Robin (coefficient 2, surroundings 0.5) at the right end.
# Qualification: reference, the solution by quadrature in closed form.
import "qualify"
geometry rod = interval(0, 2)
pde conduction on rod {
  unknown u : scalar P2
  field k = 1 + x/2
  -div(k*grad(u)) == 3
  on left: u == 1
  on right: dot(k*grad(u), n) == 2*(0.5 - u)
}
m = mesh(rod, cells: [40])
sol = solve(conduction, m)
# k u' = c - 3 x, so u = 1 + (2 c + 12) log(1 + x/2) - 6 x; the Robin condition gives c
c = (6 + 2*(0.5 - 1 + 12 - 12*log(2.0)))/(1 + 4*log(2.0))
field exact = 1 + (2*c + 12)*log(1 + x/2) - 6*x
by_reference("G1.1 rod, steady", "u in L2", norm(sol.u - exact)/norm(sol.u), 1e-6)
check sol against residual(sol), balance(sol)
plot(along(sol.u, from: 0, to: 2), "rod_steady.png", title: "Rod with a source, steady")
export(sol, "rod_steady.vtu")
