#! expect: true true
# A mesh by Gmsh is the same each time it is made, in three dimensions too.
geometry ball = sphere(center: (0, 0, 0), radius: 0.5)
geometry drum = cylinder(base: (0, 0, 0), axis: (0, 0, 1), radius: 0.5, height: 1)
fn print_of(m) = mesh_report(m) ++ str(integral(x^4 + y, on: m)) ++ str(max(h, on: m))
balls = []; drums = []
for i in 1..4 {
  balls = balls ++ [print_of(mesh(ball, h: 0.15))]
  drums = drums ++ [print_of(mesh(drum, h: 0.15))]
}
print(balls == [balls[0], balls[0], balls[0], balls[0]], drums == [drums[0], drums[0], drums[0], drums[0]])
