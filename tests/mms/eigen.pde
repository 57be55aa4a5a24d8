# Eigenvalues against known ones: orders 2 (P1) and 4 (P2), multiple and complex ones, rigid motions, saddle points, waves, units of parameters.
geometry line = interval(0, 1)
geometry square = rectangle(x: 0..1, y: 0..1)
geometry block = box(x: 0..1, y: 0..1, z: 0..1)
pde string1 on line { unknown u : scalar P1; -lap(u) == lambda*u; on all: u == 0 }
pde string2 on line { unknown u : scalar P2; -lap(u) == lambda*u; on all: u == 0 }
pde membrane on square { unknown u : scalar P2; -lap(u) == lambda*u; on all: u == 0 }
pde other_sign on square { unknown u : scalar P2; lap(u) == lambda*u; on all: u == 0 }
pde drum(c = 1) on square {
  unknown u : scalar P2
  dtt(u) == c^2*lap(u)
  on all: u == 0
  initially: u == 0
  initially: dt(u) == 0
}
pde decay(k = 1) on square {
  unknown u : scalar P2
  dt(u) == k*lap(u)
  on left, right: u == 0
  on others: dot(k*grad(u), n) == 0
  initially: u == 0
}
pde loose on square { unknown u : scalar P1; -lap(u) == lambda*u; on all: dot(grad(u), n) == 0 }
pde held on square { unknown u : scalar P2; -lap(u) == lambda*u; on all: dot(grad(u), n) == 0; mean(u) == 0 }
pde shifted on square { unknown u : scalar P2; -lap(u) - 200*u == lambda*u; on all: u == 0 }
pde body on block {
  unknown u : vector P1
  -div(2*eps(u) + tr(eps(u))*I) == lambda*u
  on all: dot(2*eps(u) + tr(eps(u))*I, n) == 0
}
pde creeping on square {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: -div(grad(u)) + grad(p) == lambda*u
  equation p: div(u) == 0
  on all: u == 0
  mean(p) == 0
}
pde turning on square {
  unknown u : scalar P2
  unknown v : scalar P2
  equation u: -lap(u) + 50*v == lambda*u
  equation v: -lap(v) - 50*u == lambda*v
  on all { u == 0; v == 0 }
}
pde weakly on square {
  unknown u : scalar P2
  weak v: integral(dot(grad(u), grad(v))) == lambda*integral(u*v)
  on all: u == 0
}

fn near(a, b, tolerance, what) {
  assert abs(a - b) <= tolerance*max(abs(b), 1), f"{what}: {a}, expected {b}"
  print(f"ok {what}")
}
fn error(p, cells, mode) = abs(eigensolve(p, mesh(line, cells: [cells]), count: 4, rtol: 1e-11).values[mode] - (mode + 1)^2*pi^2)
for mode in 0..2 {
  near(log(error(string1, 20, mode)/error(string1, 40, mode))/log(2), 2, 0.05, f"order of eigenvalue {mode}, P1")
  near(log(error(string2, 10, mode)/error(string2, 20, mode))/log(2), 4, 0.05, f"order of eigenvalue {mode}, P2")
}

m = mesh(square, cells: [12, 12])
w = eigensolve(membrane, m, count: 10)
exact = [2, 5, 5, 8, 10, 10, 13, 13, 17, 17]                 # i^2 + j^2
for i in 0..9 { near(w.values[i]/pi^2, exact[i], 3e-3, f"membrane, eigenvalue {i} with its copies") }
near(norm(w[0].u), 1, 1e-10, "normalised by the mass")
near(integral(w[0].u*w[3].u), 0, 1e-9, "modes of different eigenvalues are orthogonal")
near(norm(w[0].u - 2*sin(pi*x)*sin(pi*y)), 0, 1e-3, "the first mode")
near(integral(dot(grad(w[4].u), grad(w[4].u))), w.values[4], 1e-9, "the Rayleigh quotient")
for (v, i) in [(eigensolve(other_sign, m, count: 3).values, 2)] { near(v[i], -w.values[0], 1e-8, "lap(u) == lambda*u: the smallest in size") }
near(eigensolve(weakly, m, count: 1).values[0], w.values[0], 1e-10, "the same in weak form")
near(eigensolve(drum, m, count: 3, c: 3).values[1], 9*w.values[1], 1e-8, "dtt is read as -lambda, with another c")
near(eigensolve(decay, m, count: 2).values[1], 2*pi^2, 1e-3, "dt is read as -lambda, mixed conditions")
near(eigensolve(membrane, m, count: 2, near: 100).values[0], w.values[4], 1e-8, "nearest to a value")
s = eigensolve(shifted, m, count: 3)
for i in 0..2 { near(s.values[i], w.values[i] - 200, 1e-8, f"negative eigenvalues, smallest first: {i}") }
l = eigensolve(loose, m, count: 3)
near(l.values[0], 0, 1e-9, "the constant of a free membrane")
near(l.values[1], pi^2, 1e-2, "its next")
near(eigensolve(held, m, count: 2).values[0], pi^2, 1e-3, "the mean taken out by a constraint")
b = eigensolve(body, mesh(block, cells: [4, 4, 4]), count: 7)
for i in 0..5 { near(b.values[i], 0, 1e-9, f"rigid motion {i}") }
assert b.values[6] > 1
near(eigensolve(creeping, m, count: 1).values[0], 52.3447, 5e-4, "Stokes")     # Leriche, Labrosse, J. Comput. Phys. 200 (2004), 489-511
t = eigensolve(turning, m, count: 2)
near(t.values[0], 2*pi^2, 1e-3, "a complex pair, real part")
near(abs(t.imaginary[0]), 50, 1e-9, "a complex pair, imaginary part")
