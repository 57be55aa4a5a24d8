# A text for a parameter of a pde.
geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat(k = 1.0) on plate {
  unknown T : scalar P1
  -div(k*grad(T)) == 1
  on all: T == 0
}
sol = solve(heat, mesh(plate, cells: [8, 8]), k: "abc")
