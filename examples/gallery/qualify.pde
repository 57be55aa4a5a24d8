## Numerical qualification of a gallery case: verified by a reference, or by refinement; otherwise the case fails.

## A number against a known one. `error` is relative, or absolute where the reference is zero.
fn by_reference(case, what, error, tolerance) {
  assert error <= tolerance, f"{case} failed: {what} is off by {error:.2e}, more than {tolerance:.0e}"
  print(f"{case}: verified by reference: {what} off by {error:.1e}, at most {tolerance:.0e}")
}

## A number on three meshes, each of half the size of the one before: the observed order p, and the error of the finest by Richardson's
## extrapolation with a factor of safety of 1.25 (the grid convergence index of Roache, J. Fluids Eng. 116 (1994), 405-413). Differences at the
## level of `noise`, relative, count as converged.
fn by_refinement(case, what, values, least_order, tolerance, noise = 1e-10) {
  (a, b, c) = (values[0], values[1], values[2])
  coarse = abs(b - a)
  fine = abs(c - b)
  small = fine <= noise*abs(c)
  order = if small then least_order else log(coarse/fine)/log(2)
  index = if small then fine/abs(c) else 1.25*fine/(2^min(order, least_order + 1) - 1)/abs(c)
  assert order >= least_order - 0.3, f"{case} failed: {what} converges with order {order:.2f}, expected {least_order}"
  assert index <= tolerance, f"{case} failed: {what} has an error of {index:.1e}, more than {tolerance:.0e}"
  print(f"{case}: verified by refinement: {what} = {c:.6g}, order {order:.2f}, error {index:.1e}, at most {tolerance:.0e}")
}
