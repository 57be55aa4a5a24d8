# Runs through time that are followed, killed and continued: the file of probes, the checkpoint, two processes.
set -u
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1"; fi; }
pde() { $TIMEOUT "$PDE" "$@"; }

cat >run.pde <<'END'
param steps = 4000
geometry rod = rectangle(x: 0..1 [m], y: 0..1 [m])
pde heat on rod {
  unknown T : scalar P1 [K]
  unknown q : vector P1 [m]
  equation T: 100 [s/m^2]*dt(T) == lap(T)
  equation q: 1 [s/m^2]*dt(q) == lap(q)
  on left: T == 300 [K] + 2 [K]*sin(t/(1 [s]))
  on right: T == 300 [K]
  on top, bottom: dot(grad(T), n) == 0
  on all: q == (x, 0)
  initially: T == 300 [K]
  initially: q == (0, 0)
}
m = mesh(rod, cells: [8, 8])
sol = solve(heat, m, time: 0 [s]..steps*(0.01 [s]), step: 0.01 [s], keep: last, record: (middle: T(0.5 [m], 0.5 [m]), total: integral(T), where: q(0.5 [m], 0.5 [m]), heat: flux(T, left)), probes: "probes.csv",
  checkpoint: "run.h5", every: 25, resume: true)
print(f"{norm(sol.T - 300 [K])/(1 [m*K]):.15e} {norm(sol.q)/(1 [m^2]):.15e} {flux(sol.T, left)/(1 [K]):.12e}")
END

# --- the file as it is, units and all ---
mkdir -p whole && pde run --quiet run.pde -D steps=400 --out whole >whole/out 2>err; say 'a run that records and keeps checkpoints' $?
[ "$(head -n 1 whole/probes.csv)" = 't [s],middle [K],total [m^2*K],where.x [m],where.y [m],heat [K]' ] || { echo "# $(head -n 1 whole/probes.csv)"; false; }
say 'columns have names and units' $?
[ "$(wc -l <whole/probes.csv)" = 402 ] && [ "$(awk -F, 'NF != 6' whole/probes.csv | wc -l)" = 0 ]; say 'a row for the initial state and one for each step' $?
[ -s whole/run.h5 ] && [ "$(find whole -name '*.h5*' | wc -l)" = 1 ]; say 'one checkpoint, and nothing beside it' $?

# --- killed while it runs: lines are whole, the run goes on from the checkpoint and gives the same numbers ---
mkdir -p killed
"$PDE" run --quiet run.pde --out killed >killed/out 2>killed/err &
run=$!
for i in $(seq 600); do [ "$(cat killed/probes.csv 2>/dev/null | wc -l)" -gt 120 ] && break; sleep 0.05; done
kill -9 $run; wait $run 2>/dev/null
lines=$(wc -l <killed/probes.csv)
[ "$lines" -gt 100 ] && [ "$(tail -c 1 killed/probes.csv | od -An -c | tr -d ' ')" = '\n' ] && [ "$(awk -F, 'NF != 6' killed/probes.csv | wc -l)" = 0 ]
say 'a run that is killed leaves whole lines' $?
if [ "$lines" -lt 400 ]; then
  pde run --quiet run.pde -D steps=400 --out killed >killed/out 2>killed/err; say 'it goes on from its checkpoint' $?
  cmp -s whole/out killed/out || { echo "# $(cat whole/out)"; echo "# $(cat killed/out)"; false; }; say 'and gives the same numbers to the last bit' $?
  cmp -s whole/probes.csv killed/probes.csv || { diff whole/probes.csv killed/probes.csv | head -n 4 | sed 's/^/# /'; false; }; say 'the rows of both runs are those of one' $?
else
  echo 'skip the killed run: this machine was quicker than the signal'
fi
pde run --quiet run.pde -D steps=100 --out whole >out 2>err; [ $? = 1 ] && grep -q E2022 err; say 'a checkpoint of another time is refused' $?

# --- steps with and without a second matrix give one result; two matrices are factored once each ---
cat >turns.pde <<'END'
geometry rod = interval(0, 1)
pde heat on rod {
  unknown u : scalar P1
  dt(u) == lap(u)
  on all: u == 0
  initially: u == sin(pi*x)
}
s = solve(heat, mesh(rod, cells: [20]), time: 0..1, step: 0.04, scheme: backward_euler, outputs: [0.04, 0.07, 0.11, 0.14, 0.18, 0.21, 0.25, 0.28], keep: last)
print(f"{norm(s.u):.12e}")
END
pde run --quiet turns.pde >out 2>err && awk 'BEGIN { t = 1 } { exit !($1 > 0) }' out; say 'two lengths of step take turns' $?

# --- two processes ---
if ${MPIEXEC:-mpiexec} -n 2 true >/dev/null 2>&1; then
  mkdir -p two && $TIMEOUT ${MPIEXEC:-mpiexec} -n 2 "$PDE" run --quiet run.pde -D steps=60 --out two >two/out 2>two/err; say 'two processes record and keep checkpoints' $?
  mkdir -p one && pde run --quiet run.pde -D steps=60 --out one >one/out 2>one/err
  paste -d, one/probes.csv two/probes.csv | awk -F, 'NR > 2 { for (i = 1; i <= 6; i++) { d = $i - $(i + 6); if (d < 0) d = -d; s = $i < 0 ? -$i : $i; if (d > 1e-8*s + 1e-8) bad = 1 } } END { exit bad || NR != 62 }'
  say 'with the numbers of one' $?
  pde run --quiet run.pde -D steps=80 --out two >two/out 2>two/err && pde run --quiet run.pde -D steps=80 --out one >one/out 2>one/err
  paste one/out two/out | awk '{ for (i = 1; i <= 3; i++) { d = $i - $(i + 3); if (d < 0) d = -d; s = $i < 0 ? -$i : $i; if (d > 1e-8*s) bad = 1 } } END { exit bad || NR != 1 }'
  say 'one process goes on from the checkpoint of two' $?
  $TIMEOUT ${MPIEXEC:-mpiexec} -n 2 "$PDE" run --quiet run.pde -D steps=120 --out one >one/out 2>one/err && pde run --quiet run.pde -D steps=120 --out two >two/out 2>two/err
  paste one/out two/out | awk '{ for (i = 1; i <= 3; i++) { d = $i - $(i + 3); if (d < 0) d = -d; s = $i < 0 ? -$i : $i; if (d > 1e-8*s) bad = 1 } } END { exit bad || NR != 1 }'
  say 'two processes go on from the checkpoint of one' $?
  [ "$(wc -l <one/probes.csv)" = 122 ] && [ "$(cut -d, -f1 one/probes.csv | sort | uniq -d | wc -l)" = 0 ]; say 'and continue its probes' $?
else
  echo 'skip two processes: no mpiexec'
fi
