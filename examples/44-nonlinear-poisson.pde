# Nonlinear Poisson equations whose solutions are known: exponential, hyperbolic sine, powers.
#
# Shows: Newton's method with starts that say which solution is meant, parameters, radial symmetry by the weight x^2.
# Comes out: Bratu's problem (1914) has two solutions at lambda = 1, with the largest values 0.140539 and 4.091467; Gouy and Chapman's layer at a
# charged wall; the Lane-Emden star of index 5, (1 + r^2/3)^(-1/2); a gas that leaks through a porous plug.

geometry line = interval(0, 1)
geometry deep = interval(0, 12)
m = mesh(line, cells: [80])

## Exponential: u = -2 log(cosh((x - 1/2) s/2)/cosh(s/4)) with s = sqrt(2 lambda) cosh(s/4).
pde bratu(rate = 1.0) on line {
  unknown u : scalar P3
  -lap(u) == rate*exp(u)
  on all: u == 0
}
pde bratu_upper(rate = 1.0) on line {
  unknown u : scalar P3
  -lap(u) == rate*exp(u)
  on all: u == 0
  initially: u == 16*x*(1 - x)
}
for (p, s, top) in [(bratu, 1.5171645990507543, 0.14053921440047), (bratu_upper, 10.9387022857, 4.0914669)] {
  sol = solve(p, m)
  print(f"exponential: largest value {sol.u(0.5):.6f}")
  check sol against abs(sol.u(0.5) - top) <= 1e-6*top, norm(sol.u + 2*log(cosh((x - 0.5)*s/2)/cosh(s/4))) <= 1e-5
}

## Hyperbolic sine: tanh(u/4) = tanh(u0/4) exp(-x), potential at a charged wall (Gouy 1910, Chapman 1913).
u0 = 4.0
field layer = 2*log((1 + tanh(u0/4)*exp(-x))/(1 - tanh(u0/4)*exp(-x)))
pde charged on deep {
  unknown u : scalar P3
  lap(u) == sinh(u)
  on left: u == u0
  on right: u == layer
}
sol = solve(charged, mesh(deep, cells: [200]))
print(f"sinh: field at the wall {-dx(sol.u)(0.0):.4f}, exactly {2*sinh(u0/2):.4f}; charge by the flux {-flux(sol.u, left):.6f}")
check sol against norm(sol.u - layer, Linf) <= 1e-5, abs(flux(sol.u, left)/(2*sinh(u0/2)) - 1) <= 1e-5

## A power of the unknown, in a ball: (x^2 u')' = -x^2 u^5.
field star = 1/sqrt(1 + x^2/3)
pde lane_emden on line {
  unknown u : scalar P3
  -div(x^2*grad(u)) == x^2*u^5
  on left: dot(x^2*grad(u), n) == 0
  on right: u == star
  initially: u == 1
}
sol = solve(lane_emden, m)
print(f"power: in the centre {sol.u(0.0):.7f}")
check sol against norm(sol.u - star, Linf) <= 1e-7

## A power as conductivity: u^3 is linear, a gas in a porous plug.
pde porous on line {
  unknown u : scalar P3
  div(u^2*grad(u)) == 0
  on left: u == 1
  on right: u == 2
}
sol = solve(porous, m)
print(f"power law: in the middle {sol.u(0.5):.6f}, exactly {4.5^(1/3):.6f}, flux {flux(sol.u, right):.6f} of {7/3:.6f}")
check sol against norm(sol.u - (1 + 7*x)^(1/3), Linf) <= 1e-6, abs(flux(sol.u, right) - 7/3) <= 1e-7
