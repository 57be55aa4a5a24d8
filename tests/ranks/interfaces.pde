# Unknowns that jump at an interface: the mesh is cut there, and so are its parts.
fn show(name, v) { print(f"{name} ~ {v:.15e}") }
geometry plate {
  shape = rectangle(x: 0..2, y: 0..1)
  region a = where x < 1
  region b = where x > 1
}
pde film(R = 0.3) on plate {
  unknown T : scalar P2
  field k { on a: 1; on b: 3 }
  -div(k*grad(T)) == x*y
  on left: T == y
  on right: T == 0
  on others: dot(k*grad(T), n) == 0
  on interface(a, b): dot(k*grad(T), n) == -jump(T)/R
}
s = solve(film, mesh(plate, cells: [12, 6]))
show("film, L2", norm(s.T)); show("film, H1", norm(s.T, H1)); show("film, flux left", flux(s.T, left)); show("film, through", flux(s.T, interface(a, b)))
show("film, jump", integral(jump(s.T)^2, on: interior)); show("film, side a", s.T(1, 0.3, from: a)); show("film, side b", s.T(1, 0.3, from: b))
geometry solid {
  shape = box(x: 0..2, y: 0..1, z: 0..1)
  region a = where x < 1
  region b = where x > 1
}
pde joint(K = 4.0) on solid {
  unknown u : vector P1
  field sigma = 2*eps(u) + tr(eps(u))*I
  div(sigma) == 0
  on left: u == 0
  on right: dot(sigma, n) == (1, 0.2, 0)
  on interface(a, b): dot(sigma, n) == -K*jump(u)
  on others: dot(sigma, n) == 0
}
j = solve(joint, mesh(solid, cells: [6, 3, 3]))
show("joint, L2", norm(j.u)); show("joint, through", flux(j.u, interface(a, b))[0]); show("joint, jump", integral(dot(jump(j.u), jump(j.u)), on: interior))
save(s, "film.h5")
r = load("film.h5")
show("film from a file, L2", norm(r.T)); show("film from a file, flux", flux(r.T, left))
