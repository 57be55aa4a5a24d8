#! error E0302 12:3-12:12
#! status 1
geometry square = rectangle(x: 0 [m]..1 [m], y: 0 [m]..1 [m])
pde heat(q = 1 [W/m^3]) on square {
  unknown T : scalar P1 [K]
  -div(2 [W/(m*K)]*grad(T)) == q
  on all: T == 0 [K]
}
map plate { input q in 0 [W/m^3]..100 [W/m^3]; output T from solve(heat(q), mesh(square, cells: [4, 4])) }
contract c(m: model) {
  probe z in domain(m)
  violation = norm(m(z))
  tolerance = 1
}
check plate against c(plate)
