# A wind across a plate, hardly any diffusion: the layer at the outflow on a coarse mesh.
#
# Shows: stabilize: supg, what it does to the overshoot; without it solve would warn of the cell Peclet number (W2010).
# Comes out: values between 0 and 1.2 (the exact ones end below 1), where plain Galerkin oscillates between -3 and 7.

geometry plate = rectangle(x: 0..1, y: 0..1)

pde carried(k = 1e-4) on plate {
  unknown c : scalar P1
  field wind = (1, 0.3)
  dot(wind, grad(c)) == div(k*grad(c)) + 1
  on all: c == 0
  stabilize: supg
}

sol = solve(carried, mesh(plate, cells: [24, 24]))
print(sol)
print(f"between {min(sol.c):.3f} and {max(sol.c):.3f}")
assert min(sol.c) > -0.05 and max(sol.c) < 1.25
plot(sol.c, "layer.png", title: "c with SUPG")
