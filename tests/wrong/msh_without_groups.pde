# The mesh file names no boundary.
m = import_mesh("no_groups.msh")
pde heat on m {
  unknown T : scalar P1
  -lap(T) == 1
  on inlet: T == 0
  on others: dot(grad(T), n) == 0
}
