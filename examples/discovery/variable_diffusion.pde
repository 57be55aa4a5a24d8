# Variable diffusion: u_t = a lap u, not in conservation form, with a fast and a slow inclusion. lap is written as div(a grad u) - grad a.grad u.
import "common.pde"

field a = 0.01*(1 + 1.3*inclusion(x, y, 0.3, 0.65, 0.16, 0.06) - 0.65*inclusion(x, y, 0.7, 0.32, 0.18, 0.06) + 0.25*sin(2*pi*x)*cos(pi*y))
pde variable_diffusion(g = 0.0) on square {
  unknown u : scalar Q2
  dt(u) == div(a*grad(u)) - dot(grad(a), grad(u))
  on all: u == g
  initially: u == g
}
for (name, which) in [("A", 0), ("B", 1)] {
  sol = solve(variable_diffusion, m, g: excitation(1, which), time: 0..1, step: 1/((frames - 1)*substeps), scheme: crank_nicolson, keep: substeps)
  store(sol.u, 1, which, f"variable_diffusion_{name}")
}
export((a: sampled(project(a, m).u, [nodes, nodes])), "variable_diffusion_truth.h5")
