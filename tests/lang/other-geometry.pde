#! error W2003
#! error E2005
#! status 1
geometry g = rectangle(x:0..1,y:0..1)
geometry h = disk(center:(0.5,0.5), radius: 0.4)
geometry far = rectangle(x: 5..6, y: 0..1)
pde p on g {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u == 0
}
print(integral(solve(p, mesh(g, h: 0.2)).u))
print(integral(solve(p, mesh(h, h: 0.2)).u))
print(integral(solve(p, mesh(far, h: 0.2)).u))
