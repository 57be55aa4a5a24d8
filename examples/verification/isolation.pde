## Orders in time where the error in space is not zero, and whether it is small enough to see them: what V6 and V7 share.
##
## With d = 0.025 the field without error in time is u_ext = (4 u_CN(d/4) - u_CN(d/2))/3. |u_ext - u*| is the error in space, and the
## isolation of a scheme is R = |u_ext - u*|/|u(d) - u_ext|.
import "rules"

## A solution of the heat equation without a source.
fn wave(time) = 0.2*(sin(x) + cos(y))*exp(-time)

## Solves p, whose solution is the wave, to t = 0.4: by backward Euler with steps 0.1, 0.05, 0.025, by Crank-Nicolson also with 0.0125 and
## 0.00625. Gives a table with the errors by step, against u* (BE, CN) and against u_ext (BE_time, CN_time), and the error in space.
fn heat_in_time(p, m) {
  step = [0.1, 0.05, 0.025]; be = []; cn = []
  for d in step {
    be = be ++ [solve(p, m, time: 0..0.4, step: d, keep: 1000, scheme: backward_euler)]
    cn = cn ++ [solve(p, m, time: 0..0.4, step: d, keep: 1000, scheme: crank_nicolson)]
  }
  half = solve(p, m, time: 0..0.4, step: 0.0125, keep: 1000, scheme: crank_nicolson)
  quarter = solve(p, m, time: 0..0.4, step: 0.00625, keep: 1000, scheme: crank_nicolson)
  u_ext = (4*quarter.u - half.u)/3
  BE = []; CN = []; BE_time = []; CN_time = []
  for i in 0..2 {
    BE = BE ++ [norm(be[i].u - wave(0.4))]
    CN = CN ++ [norm(cn[i].u - wave(0.4))]
    BE_time = BE_time ++ [norm(be[i].u - u_ext)]
    CN_time = CN_time ++ [norm(cn[i].u - u_ext)]
  }
  return (steps: tabulate((step: step, BE: BE, CN: CN, BE_time: BE_time, CN_time: CN_time)), space: norm(u_ext - wave(0.4)))
}

## R of a scheme is at most 10 %: `space` the error in space, `time` that in time.
contract isolation(steps: study, space, time) {
  violation = space/max(time, 1e-30)
  tolerance = 0.1
}

## The observed order of the errors against u*: on a mesh whose error in space hides that in time there is none to see.
contract CN_order_isolated(steps: study, space) {
  needs space <= 0.1*steps.CN_time[-1] else "the error in space of this mesh hides the order in time"
  violation = abs(fitted_order(steps.step, steps.CN) - 2)
  tolerance = 0.35
}

## The orders of the errors against u_ext.
contract time_orders(steps: study) {
  violation = max(abs(fitted_order(steps.step, steps.BE_time) - 1)/0.2, abs(fitted_order(steps.step, steps.CN_time) - 2)/0.35)
  tolerance = 1
}

# --- witnesses ---

fn _steps(be, cn) = tabulate((step: [0.1, 0.05, 0.025], BE: [0.1^be, 0.05^be, 0.025^be], CN: [0.1^cn, 0.05^cn, 0.025^cn],
                           BE_time: [0.1^be, 0.05^be, 0.025^be], CN_time: [0.1^cn, 0.05^cn, 0.025^cn]))

test "isolation" {
  accept isolation(_steps(1, 2), space: 0.99e-3, time: 1e-2)
  reject isolation(_steps(1, 2), space: 1.01e-3, time: 1e-2)
  reject isolation(_steps(1, 2), space: 1e-3, time: 0)
}
test "orders" {
  accept time_orders(_steps(1.15, 1.7))
  reject time_orders(_steps(1.25, 2))
  reject time_orders(_steps(1, 1.6))
  accept CN_order_isolated(_steps(1, 2.3), space: 1e-6)
  reject CN_order_isolated(_steps(1, 2.4), space: 1e-6)
}
