# Orthotropic diffusion: u_t = dx(Dx u_x) + dy(Dy u_y), both log-normal.
import "common.pde"

Dx = project(0.012*exp(0.45*normal_field(0.25, 51)), m, element: Q2).u
Dy = project(0.008*exp(0.45*normal_field(0.25, 52)), m, element: Q2).u
pde orthotropic(g = 0.0) on square {
  unknown u : scalar Q2
  dt(u) == dx(Dx*dx(u)) + dy(Dy*dy(u))
  on all: u == g
  initially: u == g
}
for (name, which) in [("A", 0), ("B", 1)] {
  sol = solve(orthotropic, m, g: excitation(4, which), time: 0..1, step: 1/((frames - 1)*substeps), scheme: crank_nicolson, keep: substeps)
  store(sol.u, 4, which, f"orthotropic_{name}")
}
export((Dx: sampled(Dx, [nodes, nodes]), Dy: sampled(Dy, [nodes, nodes])), "orthotropic_truth.h5")
