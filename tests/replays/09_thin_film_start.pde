# FEniCS forum 4176: 1/h at a start vector that held h = 0. The initial condition is the start of Newton's iteration; w = h_xx is
# found from it, not from zero.
L = 8.89
geometry line = interval(0, L/2)
pde film on line {
  unknown q, w : scalar P1
  equation q: dt(q) + div(q^3*grad(w) + grad(q)/q) == 0
  equation w: w - lap(q) == 0
  on all { dot(q^3*grad(w) + grad(q)/q, n) == 0; dot(grad(q), n) == 0 }
  initially: q == 10/9*(1 - 0.1*cos(2*pi*x/L))
}
m = mesh(line, cells: [60])
s = solve(film, m, time: 0..0.5, step: 0.05, scheme: backward_euler)
volume = integral(s.q)
assert abs(volume - 10/9*L/2) < 1e-9, f"{volume}"
assert min(s.q) > 0.5 and max(s.q) < 2
print("ok the film moves and keeps its volume")
