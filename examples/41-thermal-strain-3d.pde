# A warm block in space: what temperature does to a body that is free, and to one that is held all around.
#
# Shows: thermal strain in 3D, supports at points that leave a body free to grow.
# Comes out: a linear temperature bends a free block without any stress, u = alpha*g*(x^2 - y^2 - z^2, 2 x y, 2 x z)/2; one that is held all around
# is pressed by E alpha T/(1 - 2 nu).

import "mechanics/elasticity"
E = 70.0; nu = 0.33; alpha = 2.3e-5; g = 40.0

geometry block = box(x: 0..2, y: 0..1, z: 0..1)
field warm = g*x
fn total(u, T) = stress(u, E, nu) + thermal_stress(alpha, T, E, nu)

pde free on block {
  unknown u : vector P2
  div(total(u, warm)) == 0
  on all: dot(total(u, warm), n) == 0
  on point (0, 0, 0): u == 0
  on point (0, 1, 0): u.x == -alpha*g/2              # turns about z and y, which the exact field has not at (0, 0, 0)
  on point (0, 0, 1) { u.x == -alpha*g/2; u.y == 0 }
}
pde held on block {
  unknown u : vector P2
  div(total(u, warm)) == 0
  on all: u == 0
}

m = mesh(block, cells: [4, 2, 2])
sol = solve(free, m)
field exact = alpha*g/2*(x^2 - y^2 - z^2, 2*x*y, 2*x*z)
worst = norm(total(sol.u, warm), Linf)
print(f"free: the end moves by {sol.u(2, 0, 0)[0]:.6f}, and bends the other by {sol.u(2, 1, 0)[1]:.6f}; stress {worst < 1e-8*E*alpha*g}")
check sol against norm(sol.u - exact, Linf) <= 1e-8*alpha*g,
  worst <= 1e-8*E*alpha*g

tight = solve(held, mesh(block, cells: [8, 4, 4]))
pressure = -integral(tr(total(tight.u, warm)))/3/2            # mean over the volume 2; strains add up to nothing
print(f"held: mean pressure {pressure:.6f}, expected {E*alpha*g*1/(1 - 2*nu):.6f}")
check tight against abs(pressure/(E*alpha*g/(1 - 2*nu)) - 1) <= 1e-9
