# Tables of measured data in equations: exact where what they interpolate is of their kind; their derivatives make Newton's method quadratic.
k = table("steel.csv", value: "k", by: "T")
rho = table("steel.csv", value: "rho", by: "T", method: monotone)
held = table("steel.csv", value: "k", outside: hold)
f = table("grid.csv")
fn close(value, exact, tol, what) {
  assert abs(value - exact) <= tol*abs(exact), f"{what}: {value}, expected {exact}"
  print(f"ok {what}")
}
close(k(200 [degC]), 45 [W/m/K], 1e-14, "a value between rows")
close(held(2000 [degC]), 27 [W/m/K], 1e-14, "a value that is held")
close(rho(300 [degC]), 7770 [kg/m^3], 1e-14, "a row of a cubic")
assert rho(310 [degC]) < rho(300 [degC]) and rho(590 [degC]) > rho(600 [degC]), "a monotone cubic overshoots"

# one wall: the flux is the integral of k over T, divided by the width
geometry wall = interval(0 [m], 0.1 [m])
pde heat on wall {
  unknown T : scalar P2 [K]
  div(k(T)*grad(T)) == 0
  on left: T == 900 [degC]
  on right: T == 50 [degC]
}
s = solve(heat, mesh(wall, cells: [400]))
exact = ((28.75 + 34)/2*300 + (34 + 42)/2*300 + (42 + 48)/2*200 + (48 + 49.25)/2*50)/0.1
close(flux(s.T, left), exact*(1 [W/m^2]), 1e-7, "flux through a wall")
assert s.iterations < 20 and abs(flux(s.T, left) + flux(s.T, right)) < 1e-9*abs(flux(s.T, left)), "balance through a wall"

# two variables: a bilinear table holds a plane, its derivatives are exact
geometry plate = rectangle(x: 0 [m]..2 [m], y: 0 [m]..1 [m])
m = mesh(plate, cells: [5, 3])
close(integral(f(x/(1 [m]), y/(1 [m]))^2, on: m), 28/3*(1 [m^2]), 1e-13, "a plane")
close(integral(dx(f(x/(1 [m]), y/(1 [m]))), on: m), 2 [m], 1e-13, "a slope along x")
close(integral(dy(f(x/(1 [m]), y/(1 [m]))), on: m), 4 [m], 1e-13, "a slope along y")

# Points anywhere in the plane: linear on triangles, so exact for a plane, in equations too and in two pieces of a run; outside of the hull none, or the
# nearest point's.
q = table("scattered.csv")
near = table("scattered.csv", outside: hold)
one = 1 [m]
close(q(0.9*one, 0.2*one), 3.6 [W/m^2], 1e-14, "a plane through scattered points")
assert integral((q(x, y) - (1 [W/m^2]) - 2 [W/m^3]*x - 4 [W/m^3]*y)^2, on: m) < 1e-25*((1 [W/m^2])^2*(1 [m^2])), "the plane"
close(integral(dx(q(x, y)), on: m), 4 [W/m], 1e-12, "a slope of scattered points")
close(near(3*one, 0.5*one), 7 [W/m^2], 1e-14, "the nearest point of the hull")
pde sheet on plate {
  unknown T : scalar P2 [K]
  -div(1 [W/m/K]*grad(T)) == q(x, y)/one
  on left: T == 0
  on others: dot(1 [W/m/K]*grad(T), n) == 0
}
close(flux(solve(sheet, m).T, left), -10 [W/m], 1e-10, "scattered points as a source")
