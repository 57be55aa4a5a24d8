# Groundwater: h_t = div(C grad h) with a log-normal conductivity over storage C = K/Ss. Two trajectories, and the truth apart from them.
import "common.pde"

C = project(0.012*exp(0.5*normal_field(0.22, 11)), m, element: Q2).u
pde groundwater(g = 0.0) on square {
  unknown h : scalar Q2
  dt(h) == div(C*grad(h))
  on all: h == g
  initially: h == g
}
for (name, which) in [("A", 0), ("B", 1)] {
  sol = solve(groundwater, m, g: excitation(0, which), time: 0..1, step: 1/((frames - 1)*substeps), scheme: crank_nicolson, keep: substeps)
  store(sol.h, 0, which, f"groundwater_{name}")
}
export((C: sampled(C, [nodes, nodes])), "groundwater_truth.h5")
