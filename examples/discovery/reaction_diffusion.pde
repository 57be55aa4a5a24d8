# Reaction and diffusion: u_t = div(D grad u) - k u; D log-normal, k a random field with an inclusion.
import "common.pde"

D = project(0.01*exp(0.4*normal_field(0.25, 31)), m, element: Q2).u
k = project(0.8 + 1.6*inclusion(x, y, 0.62, 0.6, 0.2, 0.08) + 0.35*normal_field(0.3, 32), m, element: Q2).u
pde reaction_diffusion(g = 0.0) on square {
  unknown u : scalar Q2
  dt(u) == div(D*grad(u)) - k*u
  on all: u == g
  initially: u == g
}
for (name, which) in [("A", 0), ("B", 1)] {
  sol = solve(reaction_diffusion, m, g: excitation(2, which), time: 0..1, step: 1/((frames - 1)*substeps), scheme: crank_nicolson, keep: substeps)
  store(sol.u, 2, which, f"reaction_diffusion_{name}")
}
export((D: sampled(D, [nodes, nodes]), k: sampled(k, [nodes, nodes])), "reaction_diffusion_truth.h5")
