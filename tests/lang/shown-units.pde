# `to` chooses the unit of what is shown: of numbers, of what a field gives, of histories and of tables, with that unit in their headings.
geometry rod = interval(0 [m], 1 [m])
pde heat on rod {
  unknown T : scalar P1 [K]
  dt(T) == 0.1 [m^2/s]*lap(T)
  on all: T == 30 [degC]
  initially: T == 30 [degC]
}
m = mesh(rod, cells: [4])
fn s0(T) = T(0.5 [m]) to [degC]
s = solve(heat, m, time: 0 [s]..0.2 [s], step: 0.1 [s], record: (middle: s0(T), top: max(T to [degC]), half: T(0.5 [m]) to [degF]), probes: "shown.csv")
hot = s.T to [degC]
print(max(hot), f"{hot(0 [m]):.1f}", mean(s.T) - mean(s.T))
h = history(max(s.T) to [degC])
#! expect: 30 [degC] 30.0 [degC] 0 [K]
print(history(max(s.T)) to [degC])
print(h.values[0], max(h), h)
export(h, "shown_history.csv")
back = table("shown_history.csv", outside: hold)
print(back(0 [s]) to [degC])
t = tabulate((T: [20 [degC] to [degC], 40 [degC]], L: [1 [m] to [mm], 2 [m]], n: [1, 2]))
print(t)
print(t.T[1], t.L)
export(t, "shown.table.csv")
print(table("shown.table.csv", value: "L", by: "n")(2) to [mm])
pde steady(q = 1 [K/m^2]) on rod {
  unknown T : scalar P2 [K]
  -lap(T) == q
  on all: T == 20 [degC]
}
study warm = sweep(steady, m, q: [8 [K/m^2], 16 [K/m^2]], measure: (top: max(T) to [degC], rise: max(T) - 20 [degC]))
print(warm)
#! expect:        t [s]    value [degC]
#! expect:            0              30
#! expect:          0.1              30
#! expect:          0.2              30
#! expect: 30 [degC] 30 [degC]        t [s]    value [degC]
#! expect:            0              30
#! expect:          0.1              30
#! expect:          0.2              30
#! expect: 30 [degC]
#! expect: T [degC]  L [mm]  n
#! expect:       20    1000  1
#! expect:       40    2000  2
#! expect: 40 [degC] [1000 [mm], 2000 [mm]]
#! expect: 2000 [mm]
#! expect: study warm
#! expect:    q [K/m^2]     top [degC]      rise [K]
#! expect:            8             21             1
#! expect:           16             22             2
print([20 [degC], 300 [K]] to [degC], ([1 [m]] ++ [2 [m]]) to [cm])
#! expect: [20 [degC], 26.85 [degC]] [100 [cm], 200 [cm]]
mixed = tabulate((T: ["none", 20 [degC] to [degC], 303.15 [K]]))
print(mixed)
#! expect: T [degC]
#! expect: none
#! expect: 20
#! expect: 30
