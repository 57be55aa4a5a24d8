# Gridap #791: displacement given on a whole circle; the start vertex of the closed curve stayed free and stuck out.
geometry disc = disk(center: (0, 0), radius: 0.5)
E = 1; nu = 0.49
field g = (0, -0.7*y*exp(-10*x^2))
fn stress(u) = E*nu/((1 + nu)*(1 - 2*nu))*tr(eps(u))*I + E/(1 + nu)*eps(u)
pde squeeze1 on disc { unknown u : vector P1; div(stress(u)) == 0; on rim: u == g }
pde squeeze2 on disc { unknown u : vector P2; div(stress(u)) == 0; on rim: u == g }
for h in [0.2, 0.07] {
  m = mesh(disc, h: h)
  for (s, degree) in [(solve(squeeze1, m), 1), (solve(squeeze2, m), 2)] {
    assert boundary_error(s) == 0, f"{boundary_error(s)}"
    v = norm(s.u, Linf, on: rim)
    assert abs(v - 0.35) < 0.01, f"{v}"
    p = s.u(0.5*cos(0), 0.5*sin(0))         # where the curve of the geometry begins
    assert abs(p[0]) + abs(p[1]) < 1e-15, f"{p}"
    print(f"ok the whole circle is held, h = {h}, P{degree}")
  }
}
