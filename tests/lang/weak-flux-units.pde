# The reaction of a weak form has the unit of a force.
#! expect: -3 [N/m]
geometry r = rectangle(x: 0 [m]..1 [m], y: 0 [m]..1 [m])
pde c(E = 10 [GPa]) on r {
  unknown u : vector P1 [mm]
  weak v: E*integral(inner(eps(u), eps(v))) == integral(dot((3 [N/m^2], 0 [N/m^2]), v), on: right)
  on left: u == 0
}
w = solve(c, mesh(r, cells: [4, 4]))
print(flux(w.u, left)[0])
