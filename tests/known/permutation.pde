# Known answers: the order of nodes, which a shared object looks at (permutation.c).

geometry line = interval(0, 1)
pde conduct(q = 1.0) on line {
  unknown T : scalar P2
  -lap(T) == q
  on left, right: T == 0
}
map slab {
  input q in 0..1
  output T from solve(conduct(q), mesh(line, cells: [8]))
}
model ordered for slab { library: "./permutation.so" }

test "PERM, a shared object" { reject permutation(ordered) v 0.1 }
