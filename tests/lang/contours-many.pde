# Fifty contours and more; a number of them that makes no sense.
geometry g = rectangle(x: 0..1, y: 0..1)
m = mesh(g, cells: [4, 4])
u = project((u: x*y), m).u
plot(u, "many.png", contours: 50)
plot(u, "most.png", contours: 100)
plot(u, "none.png", contours: 0)
#! error E0506
