# Quadrilaterals and hexahedra, Q1 and Q2: orders on grids, skew and curved cells, for diffusion with fluxes, elasticity, Stokes, eigenvalues and steps in
# time; patch tests and balances to rounding.
import "orders"
geometry plate = rectangle(x: 0..1.2, y: 0..0.9)
geometry block = box(x: 0..1, y: 0..1, z: 0..0.5)
geometry disc = disk(center: (0.1, 0.2), radius: 1.1)
geometry square = rectangle(x: 0..1, y: 0..1)
skew = import_mesh("../data/skew_quads.msh")
bricks = import_mesh("../data/skew_hexes.msh")
ring = import_mesh("../data/ring_q9.msh")
tube = import_mesh("../data/tube_h27.msh")
field w = sin(2*x + y)*exp(0.5*y)
field w3 = sin(x + y)*exp(0.5*z) + x*z
field v = (sin(x)*cos(2*y), x*y + 0.3*exp(x - y))
field v3 = (sin(x)*y, x*z + y^2, exp(0.5*x - z))
field k = 1 + 0.5*x
fn stress(u) = 2*tr(eps(u))*I + 2*(1 + 0.3*x)*eps(u)

# --- diffusion with a flux and Robin data: the same pde on four meshes of two kinds
pde a1 on plate { unknown u : scalar; -div(k*grad(u)) + u == -div(k*grad(w)) + w; on left, top: u == w; on right: dot(k*grad(u), n) == dot(k*grad(w), n) + 2*(w - u); on bottom: dot(k*grad(u), n) == dot(k*grad(w), n) }
pde a2 on plate { unknown u : scalar Q2; -div(k*grad(u)) + u == -div(k*grad(w)) + w; on left, top: u == w; on right: dot(k*grad(u), n) == dot(k*grad(w), n) + 2*(w - u); on bottom: dot(k*grad(u), n) == dot(k*grad(w), n) }
pde b1 on skew { unknown u : scalar Q1; -div(k*grad(u)) + u == -div(k*grad(w)) + w; on left, top: u == w; on right: dot(k*grad(u), n) == dot(k*grad(w), n) + 2*(w - u); on bottom: dot(k*grad(u), n) == dot(k*grad(w), n) }
pde b2 on skew { unknown u : scalar Q2; -div(k*grad(u)) + u == -div(k*grad(w)) + w; on left, top: u == w; on right: dot(k*grad(u), n) == dot(k*grad(w), n) + 2*(w - u); on bottom: dot(k*grad(u), n) == dot(k*grad(w), n) }
expect(refine(a1, exact: (u: w), cells: [6, 12, 24], kind: quad), 2, 1, "grid, Q1 by default")
expect(refine(a2, exact: (u: w), cells: [6, 12, 24], kind: quad), 3, 2, "grid, Q2")
expect(refine(b1, exact: (u: w), mesh: skew, levels: 4), 2, 1, "skew quadrilaterals, Q1")
expect(refine(b2, exact: (u: w), mesh: skew, levels: 4), 3, 2, "skew quadrilaterals, Q2")

pde c1 on block { unknown u : scalar; -lap(u) + u == -lap(w3) + w3; on x_max, z_min: dot(grad(u), n) == dot(grad(w3), n); on others: u == w3 }
pde c2 on block { unknown u : scalar Q2; -lap(u) + u == -lap(w3) + w3; on x_max, z_min: dot(grad(u), n) == dot(grad(w3), n); on others: u == w3 }
pde d1 on bricks { unknown u : scalar Q1; -lap(u) + u == -lap(w3) + w3; on right, back: dot(grad(u), n) == dot(grad(w3), n); on others: u == w3 }
pde d2 on bricks { unknown u : scalar Q2; -lap(u) + u == -lap(w3) + w3; on right, back: dot(grad(u), n) == dot(grad(w3), n); on others: u == w3 }
expect(refine(c1, exact: (u: w3), cells: [2, 4, 8], kind: hex), 2, 1, "boxes, Q1 by default")
expect(refine(c2, exact: (u: w3), cells: [2, 4, 8], kind: hex), 3, 2, "boxes, Q2")
expect(refine(d1, exact: (u: w3), mesh: bricks, levels: 3), 2, 1, "skew hexahedra, Q1")
expect(refine(d2, exact: (u: w3), mesh: bricks, levels: 3), 3, 2, "skew hexahedra, Q2")

# --- curved cells: quadrilaterals by Gmsh on a disk, of a file of second order on a ring and in a tube
pde e2 on disc { unknown u : scalar Q2; -lap(u) + u == -lap(w) + w; on rim: dot(grad(u), n) == dot(grad(w), n) }
expect(refine(e2, exact: (u: w), mesh: mesh(disc, h: 0.5, kind: quad), levels: 3), 3, 2, "disk of quadrilaterals, Q2")
pde f2 on ring { unknown u : scalar Q2; -lap(u) + u == -lap(w) + w; on outer: dot(grad(u), n) == dot(grad(w), n); on others: u == w }
fits = solve(f2, ring); fine = solve(f2, refined(ring))
print(f"ok ring of a file: error {norm(fits.u - w):.1e}, then {norm(fine.u - w):.1e}")
assert norm(fine.u - w) < norm(fits.u - w)/4, "Q2 on a ring of a file"

# --- elasticity, Stokes
pde elastic1 on skew { unknown u : vector Q1; -div(stress(u)) == -div(stress(v)); on right: dot(stress(u), n) == dot(stress(v), n); on bottom { u.y == v.y; dot(stress(u), n).x == dot(stress(v), n).x }; on others: u == v }
pde elastic2 on skew { unknown u : vector Q2; -div(stress(u)) == -div(stress(v)); on right: dot(stress(u), n) == dot(stress(v), n); on bottom { u.y == v.y; dot(stress(u), n).x == dot(stress(v), n).x }; on others: u == v }
pde elastic3 on bricks { unknown u : vector Q2; -div(stress(u)) == -div(stress(v3)); on right: dot(stress(u), n) == dot(stress(v3), n); on others: u == v3 }
expect(refine(elastic1, exact: (u: v), mesh: skew, levels: 4), 2, 1, "elasticity, Q1")
expect(refine(elastic2, exact: (u: v), mesh: skew, levels: 3), 3, 2, "elasticity, Q2")
expect(refine(elastic3, exact: (u: v3), mesh: bricks, levels: 3), 3, 2, "elasticity of hexahedra, Q2")
field psi = sin(2*x)*cos(y)
field flow = (dy(psi), -dx(psi))
field q = cos(x*y) + x
fn traction(u, p) = 2*eps(u) - p*I
pde stokes on skew {
  unknown u : vector Q2
  unknown p : scalar Q1
  equation u: -div(traction(u, p)) == -div(traction(flow, q))
  equation p: div(u) == 0
  on right: dot(traction(u, p), n) == dot(traction(flow, q), n)
  on others: u == flow
}
s = refine(stokes, exact: (u: flow, p: q), mesh: skew, levels: 4)
assert abs(s.order_L2_u[-1] - 3) < 0.15 and abs(s.order_H1_u[-1] - 2) < 0.15 and s.order_L2_p[-1] > 1.85, f"Stokes: {s.order_L2_u[-1]:.2f} {s.order_H1_u[-1]:.2f} {s.order_L2_p[-1]:.2f}"
print(f"ok Stokes, Q2 and Q1: orders {s.order_L2_u[-1]:.2f} {s.order_H1_u[-1]:.2f}, {s.order_L2_p[-1]:.2f} of the pressure")

# --- eigenvalues of orders 2 and 4, steps in time
pde drum1 on square { unknown u : scalar; -lap(u) == lambda*u; on all: u == 0 }
pde drum2 on square { unknown u : scalar Q2; -lap(u) == lambda*u; on all: u == 0 }
fn off(p, cells) = abs(eigensolve(p, mesh(square, cells: [cells, cells], kind: quad), count: 3, rtol: 1e-11).values[1] - 5*pi^2)
o1 = log(off(drum1, 8)/off(drum1, 16))/log(2); o2 = log(off(drum2, 4)/off(drum2, 8))/log(2)
assert abs(o1 - 2) < 0.15 and abs(o2 - 4) < 0.25, f"eigenvalues of orders {o1:.2f}, {o2:.2f}"
print(f"ok eigenvalues: orders {o1:.2f} of Q1, {o2:.2f} of Q2")
pde heat on square { unknown T : scalar Q2; dt(T) == lap(T); on all: T == 0; initially: T == sin(pi*x)*sin(pi*y) }
fn late(steps) = norm(solve(heat, mesh(square, cells: [8, 8], kind: quad), time: 0..0.1, step: 0.1/steps, scheme: crank_nicolson).T - exp(-2*pi^2*0.1)*sin(pi*x)*sin(pi*y))
o = log(late(5)/late(10))/log(2)
assert abs(o - 2) < 0.15, f"Crank-Nicolson has the order {o:.2f}"
print(f"ok heat: order {o:.2f} in time")

# --- patch tests: what the elements hold is found to 1e-12 on skew cells
field lin = 3 + 2*x - y
field lin3 = 3 + 2*x - y + 0.7*z
field square2 = 1 + x^2 - 2*x*y + 3*y^2
field disp = (0.1 + 0.2*x - 0.3*y, 0.5*x + 0.1*y)
pde patch1 on skew { unknown u : scalar Q1; -lap(u) == 0; on left: u == lin; on right: dot(grad(u), n) == dot(grad(lin), n) + 3*(lin - u); on others: dot(grad(u), n) == dot(grad(lin), n) }
pde patch2 on skew { unknown u : scalar Q2; -div(k*grad(u)) == -div(k*grad(square2)); on left: u == square2; on others: dot(k*grad(u), n) == dot(k*grad(square2), n) }
pde patch3 on bricks { unknown u : scalar Q1; -lap(u) == 0; on left: u == lin3; on others: dot(grad(u), n) == dot(grad(lin3), n) }
pde patch4 on skew { unknown u : vector Q2; -div(stress(u)) == -div(stress(disp)); on left: u == disp; on others: dot(stress(u), n) == dot(stress(disp), n) }
fn exactly(e, what) {
  assert norm(e, Linf) < 1e-11, f"{what}: off by {norm(e, Linf):.2e}"
  print(f"ok {what}")
}
exactly(solve(patch1, skew).u - lin, "Q1 holds linear fields")
exactly(solve(patch2, skew).u - square2, "Q2 holds quadratic fields")
exactly(solve(patch3, bricks).u - lin3, "Q1 holds linear fields in space")
exactly(solve(patch4, skew).u - disp, "linear displacement, Q2")

# --- balances to rounding, by reactions and data
fn balanced(total, what) {
  assert abs(total) < 1e-12, f"{what}: {total:.2e} is lost"
  print(f"ok {what}")
}
pde source1 on skew { unknown u : scalar Q1; -div(k*grad(u)) == 1 + x*y; on left: u == y; on right: dot(k*grad(u), n) == 2 - u; on others: dot(k*grad(u), n) == 0 }
pde source2 on bricks { unknown u : scalar Q2; -lap(u) == 1 + x*y; on left, top: u == y; on others: dot(grad(u), n) == 0 }
pde source3 on ring { unknown u : scalar Q2; -lap(u) == 1 + x; on inner: u == 0; on others: dot(grad(u), n) == 0 }
pde source4 on tube { unknown u : scalar Q2; -lap(u) == 1 + x; on inner: u == 0; on others: dot(grad(u), n) == 0 }
r1 = solve(source1, skew); r2 = solve(source2, bricks, solver: "mumps"); r3 = solve(source3, ring); r4 = solve(source4, tube, solver: "mumps")
balanced(integral(1 + x*y, on: skew) + flux(r1.u, left) + flux(r1.u, right), "balance, Q1")
balanced(integral(1 + x*y, on: bricks) + flux(r2.u, left) + flux(r2.u, top), "balance, Q2 in space")
balanced(integral(1 + x, on: ring) + flux(r3.u, inner), "balance on a curved ring")
balanced(integral(1 + x, on: tube) + flux(r4.u, inner), "balance in a curved tube")
assert abs(solve(patch2, skew).u(0.37, 0.41) - (1 + 0.37^2 - 2*0.37*0.41 + 3*0.41^2)) < 1e-11, "value at a point"
