# A report of a run: a plate that warms up, checked, measured and shown through views.
#
# Shows: view declarations, render; `pde run examples/34-report.pde --record DIR` keeps the run, `pde view DIR report` shows it later.
# Comes out: the peak 0.0737 of -lap(T) == 1 within 1e-3, order 2; report.html (one file, no network) and verdicts.csv.

geometry plate = rectangle(x: 0..1, y: 0..1)
pde heat on plate {
  unknown T : scalar P1
  dt(T) == lap(T) + 1
  on all: T == 0
  initially: T == 0
}
pde steady on plate {
  unknown T : scalar P1
  -lap(T) == 2*pi^2*sin(pi*x)*sin(pi*y)
  on all: T == 0
}

sol = solve(heat, mesh(plate, cells: [32, 32]), time: 0..1, step: 0.02)
warming = history(max(sol.T))
peak = max(sol.T)
print(f"peak {peak:.4f}")
study orders = refine(steady, exact: (T: sin(pi*x)*sin(pi*y)), cells: [8, 16, 32])

# the series solution of -lap(T) == 1 on the unit square has its largest value 0.0736713 in the middle
check sol against positivity(sol), abs(peak - 0.0736713) <= 1e-3
check orders against order(orders, L2, 2)

view report of run {
  title "A plate that warms up"
  value peak
  map T of sol
  plot warming against t
  table orders: h ".4f", L2 ".2e", order_L2 ".2f" sort h
  plot orders.L2, orders.H1 against h logx logy
  table verdicts: contract, subject, status, ratio ".3f" sort ratio descending
  table equations
}
view verdicts_only of run { table verdicts: contract, subject, status, v, tolerance }
render(report, "report.html")
render(verdicts_only, "verdicts.csv")
