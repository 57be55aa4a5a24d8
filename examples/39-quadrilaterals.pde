# Quadrilaterals and hexahedra: a ring under pressure inside. In the plane Gmsh joins triangles to quadrilaterals, which follow both circles by quadratic
# maps; Lame's solution u_r = a*r + b/r is known. Boxes take cells: with kind: hex.
param E = 10
param nu = 0.3
param p = 1
geometry ring = annulus(center: (0, 0), inner: 1, outer: 2) & rectangle(x: 0..3, y: 0..3)
mu = E/(2*(1 + nu)); la = E*nu/((1 + nu)*(1 - 2*nu))
fn stress(u) = la*tr(eps(u))*I + 2*mu*eps(u)
pde pressed on ring {
  unknown u : vector Q2
  div(stress(u)) == 0
  on inner: dot(stress(u), n) == -p*n
  on outer: dot(stress(u), n) == 0
  on left { u.x == 0; dot(stress(u), n).y == 0 }
  on bottom { u.y == 0; dot(stress(u), n).x == 0 }
}
b = 4/3*p/(2*mu); a = p/3/(2*(la + mu))
field r = sqrt(x^2 + y^2)
field exact = (a + b/r^2)*(x, y)
m = mesh(ring, h: 0.3, kind: quad)
print(mesh_report(m))
s = solve(pressed, m)
print(f"quadrilaterals, Q2: error {norm(s.u - exact)/norm(exact, on: m):.1e}, force on the left {flux(s.u, left).x:.6f}")
fine = refined(m)
print(f"refined:            error {norm(solve(pressed, fine).u - exact)/norm(exact, on: fine):.1e}")

geometry brick = box(x: 0..3, y: 0..1, z: 0..1)
pde heat on brick { unknown T : scalar; -lap(T) == 1; on x_min, x_max: T == 0; on others: dot(grad(T), n) == 0 }
t = solve(heat, mesh(brick, cells: [12, 4, 4], kind: hex))     # no element: linear, Q1 on hexahedra
print(f"hexahedra, Q1: {t.T(1.5, 0.5, 0.5):.6f} in the middle, 9/8 = 1.125")
