# Surrogates come later.
geometry rod = interval(0, 1)
pde heat(q = 1) on rod {
  unknown T : scalar P1
  -lap(T) == q
  on all: T == 0
}
m = mesh(rod, cells: [8])
map heat_map {
  input q in 0..1
  output T from solve(heat(q), m)
}
surrogate guess for heat_map { T = q*x*(1 - x)/2 }
