# Settings of an audit and tolerances out of their ranges, each told at its place.
#! check
#! error E0506 25:43-25:52
#! error E0506 26:40-26:46
#! error E0506 27:45-27:46
#! error E0506 28:33-28:36
#! error E0506 29:33-29:36
#! error E0506 30:35-30:36
#! error E0506 31:35-31:38
#! error E0506 32:35-32:36
geometry line = interval(0, 1)
pde conduct(q = 1.0) on line {
  unknown T : scalar P2
  -lap(T) == q
  on left, right: T == 0
}
m = mesh(line, cells: [8])
map slab { input q in 0..1; output T from solve(conduct(q), m) }
model good(q) for slab { T = q*x*(1 - x)/2 }
contract c(g: model) {
  probe z in domain(g)
  violation = norm(g(z) - g(z))/scale(g)
  tolerance = 1e-3
}
contract exact(g: model) { violation = 0; tolerance = 0 }
contracts signed(g: model) { hard c(g) tol -1 }
contracts nothing(g: model) { hard c(g) tol 0 }
audit good against c { samples: 4e9 }
audit good against c { samples: 2.5 }
audit good against c { threshold: 0 }
audit good against c { threshold: 1e9 }
audit good against c { calibrate: 0 }
audit good against exact { samples: 4 }
