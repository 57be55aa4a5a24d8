# Advection and diffusion: u_t = D lap u - v.grad u; D log-normal, v a drift with a vortex and something random, not free of sources.
import "common.pde"

D = project(0.008*exp(0.4*normal_field(0.25, 41)), m, element: Q2).u
vx = project(0.25 + 0.3*sin(pi*x)*cos(pi*y) + 0.08*normal_field(0.3, 42), m, element: Q2).u
vy = project(-0.1 - 0.3*cos(pi*x)*sin(pi*y) + 0.08*normal_field(0.3, 43), m, element: Q2).u
pde advection_diffusion(g = 0.0) on square {
  unknown u : scalar Q2
  dt(u) == div(D*grad(u)) - dot(grad(D), grad(u)) - vx*dx(u) - vy*dy(u)
  on all: u == g
  initially: u == g
}
for (name, which) in [("A", 0), ("B", 1)] {
  sol = solve(advection_diffusion, m, g: excitation(3, which), time: 0..1, step: 1/((frames - 1)*substeps), scheme: crank_nicolson, keep: substeps)
  store(sol.u, 3, which, f"advection_diffusion_{name}")
}
export((D: sampled(D, [nodes, nodes]), vx: sampled(vx, [nodes, nodes]), vy: sampled(vy, [nodes, nodes])), "advection_diffusion_truth.h5")
