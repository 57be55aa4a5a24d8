## What the studies of this directory share: observed orders, and the rules of acceptance that several of them have.

## Slope of log(error) over log(size) by least squares over the last levels, the finest three unless said otherwise.
fn fitted_order(size, error, levels = 3) {
  n = min(levels, len(size))
  sx = 0.0; sy = 0.0; sxx = 0.0; sxy = 0.0
  for i in 1..n {
    a = log(size[-i])
    b = log(error[-i])
    sx = sx + a; sy = sy + b; sxx = sxx + a^2; sxy = sxy + a*b
  }
  return (n*sxy - sx*sy)/(n*sxx - sx^2)
}

## The order of two levels whose size halves.
fn order_between(coarse, fine) = log(coarse/fine)/log(2)

## Largest relative difference of errors from the law c*size^order, over all levels.
fn worst_deviation(error, size, c, order) {
  worst = 0.0
  for i in 0..len(size) - 1 { worst = max(worst, abs(error[i]/(c*size[i]^order) - 1)) }
  return worst
}

## The observed order of the L2 errors lies in low..high. The table has the columns h and L2.
contract L2_order(levels: study, low, high) {
  violation = abs(fitted_order(levels.h, levels.L2) - (low + high)/2)
  tolerance = (high - low)/2
}

## As L2_order, of errors in the H1 seminorm.
contract H1_order(levels: study, low, high) {
  violation = abs(fitted_order(levels.h, levels.H1) - (low + high)/2)
  tolerance = (high - low)/2
}

## The errors of every level follow c h^order: where the discrete solution is known exactly.
contract L2_in_closed_form(levels: study, c, order) {
  violation = worst_deviation(levels.L2, levels.h, c, order)
  tolerance = 1e-8
}
contract H1_in_closed_form(levels: study, c, order) {
  violation = worst_deviation(levels.H1, levels.h, c, order)
  tolerance = 1e-8
}
contract energy_in_closed_form(levels: study, c, order) {
  violation = worst_deviation(levels.energy, levels.h, c, order)
  tolerance = 1e-8
}

## The observed order in time of backward Euler, 0.8 to 1.2, and of Crank-Nicolson, 1.65 to 2.35. Columns: step, BE, CN.
contract BE_order(steps: study) {
  violation = abs(fitted_order(steps.step, steps.BE) - 1)
  tolerance = 0.2
}
contract CN_order(steps: study) {
  violation = abs(fitted_order(steps.step, steps.CN) - 2)
  tolerance = 0.35
}

# --- witnesses: errors of exactly known order ---

fn _levels(order, c = 3.0) = tabulate((h: [0.2, 0.1, 0.05], L2: [c*0.2^order, c*0.1^order, c*0.05^order], H1: [c*0.2^order, c*0.1^order, c*0.05^order],
                                    energy: [c*0.2^order, c*0.1^order, c*0.05^order]))
fn _steps(order) = tabulate((step: [0.4, 0.2, 0.1, 0.05], BE: [9, 0.2^order, 0.1^order, 0.05^order], CN: [9, 0.2^order, 0.1^order, 0.05^order]))

test "bands" {
  accept L2_order(_levels(2.4), 1.5, 2.5)
  reject L2_order(_levels(2.6), 1.5, 2.5)
  reject L2_order(_levels(1.4), 1.5, 2.5)
  accept H1_order(_levels(0.8), 0.7, 1.4)
  reject H1_order(_levels(0.6), 0.7, 1.4)
  reject H1_order(_levels(1.5), 0.7, 1.4)
}
test "closed forms" {
  accept L2_in_closed_form(_levels(2), 3, 2)
  accept H1_in_closed_form(_levels(2), 3, 2)
  accept energy_in_closed_form(_levels(2), 3, 2)
  reject L2_in_closed_form(_levels(2, 3.0001), 3, 2)
  reject H1_in_closed_form(_levels(2.001), 3, 2)
  reject energy_in_closed_form(_levels(2, 2.9999), 3, 2)
}
test "orders in time: the finest three of four" {
  accept BE_order(_steps(1.15))
  reject BE_order(_steps(1.25))
  reject BE_order(_steps(0.75))
  accept CN_order(_steps(2.3))
  reject CN_order(_steps(2.4))
  reject CN_order(_steps(1.6))
}
