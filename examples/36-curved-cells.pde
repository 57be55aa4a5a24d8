# Curved cells: on a disk the membrane's deflection is known, u = (1 - r^2)/4. With cells that follow the rim P2 has it to rounding wherever the cells
# are fine; with straight ones (order: 1) the domain itself is wrong by h^2.
geometry round = disk(center: (0, 0), radius: 1)
pde membrane on round { unknown u : scalar P2; -lap(u) == 1; on rim: u == 0 }
field w = (1 - x^2 - y^2)/4

for order in 1..2 {
  m = mesh(round, h: 0.2, order: order)
  s = solve(membrane, m)
  print(f"order {order}: area {integral(1, on: m)/pi:.7f} pi, load carried by the rim {-flux(s.u, rim)/pi:.7f} pi, error {norm(s.u - w):.1e}")
}
