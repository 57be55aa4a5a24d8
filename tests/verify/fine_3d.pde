# Three refinements in 3D with P2: Poisson and elasticity to 1e5 dofs and beyond.
import "../mms/orders"
geometry block = box(x: 0..1, y: 0..0.8, z: 0..0.6)
field w = sin(x + y)*exp(0.5*z) + x*z
field v = (sin(x)*y, x*z + y^2, exp(0.5*x - z))
fn stress(u) = 2*tr(eps(u))*I + 2*(1 + 0.3*x)*eps(u)
pde poisson on block { unknown u : scalar P2; -lap(u) == -lap(w); on all: u == w }
pde elastic on block {
  unknown u : vector P2
  -div(stress(u)) == -div(stress(v))
  on x_max: dot(stress(u), n) == dot(stress(v), n)
  on others: u == v
}
m = mesh(block, h: 0.6)
expect(refine(poisson, exact: (u: w), mesh: m, levels: 5), 3, 2, "Poisson, P2")
expect(refine(elastic, exact: (u: v), mesh: m, levels: 4), 3, 2, "elasticity, P2")
