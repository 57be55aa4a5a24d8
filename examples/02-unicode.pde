# Diffusion, transport and a cubic sink in the author's spelling.
#
# Shows: ∂t ∇ ∇· · ² ³ ≤ and Greek names; Crank-Nicolson with Newton in every step.
# Comes out: the same numbers, to round-off, as in plain ASCII: mean 0.692 at t = 0.5.

geometry Ω = rectangle(x: 0..1, y: 0..1)
param κ = 0.05
field β = (1, 0.5*x²)

pde transport on Ω {
  unknown u : scalar P1
  ∂t u + β·∇u == ∇·(κ*∇u) - 2*u³
  on left, bottom: u == 1
  on others: (κ*∇u)·n == 0
  initially: u == if x ≤ 0.5 then 1 else 0
}
pde ascii on Ω {
  unknown u : scalar P1
  dt(u) + dot(β, grad(u)) == div(κ*grad(u)) - 2*u^3
  on left, bottom: u == 1
  on others: dot(κ*grad(u), n) == 0
  initially: u == if x <= 0.5 then 1 else 0
}

m = mesh(Ω, cells: [24, 24])
a = solve(transport, m, time: 0..0.5, step: 0.05)
b = solve(ascii, m, time: 0..0.5, step: 0.05)
print(f"mean of u at 0.5: {integral(a.u):.6f}")
assert norm(a.u - b.u) < 1e-12, "one language, two spellings"
plot(a.u, "transport.png")
