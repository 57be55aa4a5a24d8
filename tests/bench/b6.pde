# B6: reaction and diffusion in the unit box, 24^3 x 6 tetrahedra, P1, 16 backward Euler steps.
geometry cube = box(x: 0..1, y: 0..1, z: 0..1)
field exact = (0.2 + 0.1*x + 0.05*y + 0.025*z)*exp(-t)
pde reaction on cube {
  unknown u : scalar P1
  dt(u) - lap(u) + u^3 == exact^3 - exact
  on all: u == exact
  initially: u == exact
}
sol = solve(reaction, mesh(cube, cells: [24, 24, 24]), time: 0..0.4, step: 0.025, scheme: backward_euler, keep: last, rtol: 1e-8)
print(f"L2 {norm(sol.u - exact):.5g} H1 {norm(sol.u - exact, H1semi):.5g} residual {sol.residual:.2g} iterations {sol.iterations} solver {sol.solver}")
