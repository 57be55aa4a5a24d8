## What the cases E01 to E12 are judged by: a field that is known exactly, and that the elements hold.

## A field that is zero: its L2 norm is at most 1e-10.
contract zero_field(sol: solution, u: output) {
  violation = norm(sol[u])
  tolerance = 1e-10
}

## An affine field, of a linear problem: relative L2 error at most 1e-9.
contract affine_field(sol: solution, u: output, exact: field) {
  violation = norm(sol[u] - exact)/norm(exact, on: sol)
  tolerance = 1e-9
}

## An affine field, of a nonlinear problem: relative L2 error at most 1e-7.
contract affine_field_nonlinear(sol: solution, u: output, exact: field) {
  violation = norm(sol[u] - exact)/norm(exact, on: sol)
  tolerance = 1e-7
}

# --- witnesses: solutions that differ from the field by a given amount ---

geometry _rod = interval(0, 1)
pde _held(off = 0.0) on _rod {
  unknown u : scalar P1
  lap(u) == 0
  on left: u == off
  on right: u == 1 + off
}
pde _flat(off = 0.0) on _rod {
  unknown u : scalar P1
  lap(u) == 0
  on all: u == off
}
_m = mesh(_rod, cells: [8])

test "zero field" {
  accept zero_field(solve(_flat, _m, off: 0.9e-10), u)
  reject zero_field(solve(_flat, _m, off: 1.1e-10), u)
}
test "affine fields: the norm of x is 0.577" {
  accept affine_field(solve(_held, _m, off: 5.5e-10), u, x)
  reject affine_field(solve(_held, _m, off: 6e-10), u, x)
  accept affine_field_nonlinear(solve(_held, _m, off: 5.5e-8), u, x)
  reject affine_field_nonlinear(solve(_held, _m, off: 6e-8), u, x)
}
