#! error E2015
#! status 1
geometry g { a = rectangle(x:0..1,y:0..1); b = rectangle(x:0.5..2,y:0..1); shape = a + b }
field k {on a: 1; on b: 2}
pde p on g {
  unknown u : scalar P1
  -div(k*grad(u)) == 1
  on all: u == 0
}
s = solve(p, mesh(g, h: 0.2))
print(integral(s.u))
