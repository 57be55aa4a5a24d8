# G3.2 Nonlinear reaction and diffusion on an L-shape.
#
# Data: legs of 1, -lap(u) + u^3 = 10, u = 0 on the boundary.
# Qualification: refinement of the mean of u; the corner leaves order 4/3.
import "qualify"
geometry corner = lshape(x: 0..2, y: 0..2, corner: (1, 1))
pde cubic on corner {
  unknown u : scalar P2
  -lap(u) + u^3 == 10
  on all: u == 0
}
m = mesh(corner, h: 0.15)
a = solve(cubic, m); b = solve(cubic, refined(m)); c = solve(cubic, refined(refined(m)))
by_refinement("G3.2 L-shape, nonlinear", "mean of u", [mean(a.u), mean(b.u), mean(c.u)], 1.33, 2e-3)
check c against residual(c), positivity(c), balance(c)
plot(c.u, "lshape_nonlinear.png", contours: 10, title: "-lap(u) + u^3 = 10 on an L-shape")
export(c, "lshape_nonlinear.vtu")
