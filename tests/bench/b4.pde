# B4: steady flow past a hole of the unit square, Navier-Stokes, Taylor-Hood on Gmsh's triangles of size 0.015, Newton with a factor.
geometry holed = rectangle(x: 0..1, y: 0..1) - disk(center: (0.25, 0.25), radius: 0.1)
rho = 1; mu = 0.1
field q = max(y - 0.5, 0)
field w = (0.4*(1 - x)^3*q^3, 0.3*(1 - x)^2*q^4)
pde flow on holed {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: rho*dot(u, grad(u)) == div(mu*grad(u) - p*I) + rho*dot(w, grad(w)) - div(mu*grad(w))
  equation p: div(u) == 0
  on left, bottom, top: u == w
  on rim: u == 0
  on right: dot(mu*grad(u) - p*I, n) == 0
}
sol = solve(flow, mesh(holed, h: 0.015, order: 1))
print(f"L2 {norm(sol.u - w):.5g} H1 {norm(sol.u - w, H1semi):.5g} residual {sol.residual:.2g} iterations {sol.iterations} solver {sol.solver}")
