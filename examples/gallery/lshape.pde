# G2.4 A harmonic field on an L-shape with its corner singularity.
#
# Data: L-shape of legs 1 about the origin, boundary values of r^(2/3) sin(2 theta/3), theta measured from the upper side of the corner.
# Qualification: reference; the error in L2 falls with order 4/3, the gradient at the corner is infinite.
import "qualify"
geometry corner = polygon([(0, 0), (0, 1), (-1, 1), (-1, -1), (1, -1), (1, 0)])
field angle = atan2(x - y, -x - y) + 3*pi/4              # from the upper side of the corner
field exact = (x^2 + y^2)^(1/3)*sin(2*angle/3)
pde harmonic on corner {
  unknown u : scalar P1
  lap(u) == 0
  on all: u == exact
}
m = mesh(corner, h: 0.1, size: near(all, 0.05, within: 0.1))
a = solve(harmonic, m)
b = solve(harmonic, refined(m))
by_reference("G2.4 L-shape, harmonic", "u in L2", norm(b.u - exact)/norm(b.u), 2e-3)
order = log(norm(a.u - exact)/norm(b.u - exact))/log(2)
by_reference("G2.4 L-shape, harmonic", "order in L2, which is 4/3,", abs(order - 4/3), 0.25)
check b against residual(b), maximum_principle(b)
plot(b.u, "lshape.png", contours: 12, title: "Harmonic field at a re-entrant corner")
export(b, "lshape.vtu")
