# status 1 E0422: a steady problem has no time, so its data can't depend on it.
geometry square = rectangle(x: 0..1, y: 0..1)
pde p on square { unknown u : scalar P1; -lap(u) == 1; on all: u == t }
s = solve(p, mesh(square, cells: [4, 4]))
