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

# --- what a run that goes on may change, and what not ---
cat >again.pde <<'END'
param k = 1
param steps = 10
param n = 8
param start = 0
geometry rod = interval(0, 1)
pde heat(a = 1) on rod {
  unknown u : scalar P1
  dt(u) == a*k*lap(u)
  on all: u == 0
  initially: u == sin(pi*x) + start
}
s = solve(heat, mesh(rod, cells: [n]), time: 0..steps*0.01, step: 0.01, checkpoint: "again.h5", every: 4, resume: true, record: (middle: u(0.5)), probes: "again.csv")
print(f"{norm(s.u):.15e} {s.time} {flux(s.u, left):.12e} {s.steps}")
END
again() { pde run --quiet again.pde --out again "$@" >out 2>err; }
mkdir -p again; again -D steps=6 && cp out six && again; say 'a run that was finished goes on to a later time' $?
cp out ten; [ "$(awk '{print $4}' ten)" = 4 ] && [ "$(wc -l <again/again.csv)" = 12 ]; say 'with the steps that are left' $?
again && grep -q 'note\[W2096\]: the run was finished' err; say 'once more: it was finished' $?
[ "$(cut -d' ' -f1-3 out)" = "$(cut -d' ' -f1-3 ten)" ] && [ "$(awk '{print $4}' out)" = 0 ] && [ "$(wc -l <again/again.csv)" = 12 ]; say 'and has the same solution, its flux too' $?
for change in k=2 start=1 n=9; do
  again -D $change; [ $? = 1 ] && grep -q 'E2022' err && grep -q 'remove that file' err && [ "$(wc -l <again/again.csv)" = 12 ]; say "a run with $change is refused" $?
done
again -D k=2; grep -q '`k` was 1; now it is 2' err; say 'the parameter is named, with both values' $?
again -D n=9; grep -q 'its mesh has 8 cells, this one 9 cells' err; say 'and the mesh' $?
cp again.pde kept.pde
sed -i 's/solve(heat, /solve(heat, a: 3, /' again.pde; again; [ $? = 1 ] && grep -q '`a` was 1; now it is 3' err; say 'a parameter of the pde' $?
sed 's/middle: u(0.5)/middle: u(0.25)/' kept.pde >again.pde; again; [ $? = 1 ] && grep -q 'recorded something else' err; say 'another number is recorded' $?
sed 's/, record: .*csv"//' kept.pde >again.pde; again; [ $? = 1 ] && grep -q 'recorded something' err; say 'nothing is recorded any more' $?
sed 's/lap(u)/lap(u) - u/' kept.pde >again.pde; again; [ $? = 1 ] && grep -q 'of another pde' err; say 'another equation' $?
sed 's/u == 0$/u == 0.1*t/; s/^print.*/&\nprint(max(s.u) < 1)/' kept.pde >again.pde; again; [ $? = 1 ] && grep -q 'of another pde' err; say 'another condition' $?
{ cat kept.pde; echo 'print(max(s.u) < 1)'; } >again.pde; again && grep -qx true out; say 'what comes after the solve may change' $?
sed -i 's/^t,middle/t,other/' again/again.csv; cp kept.pde again.pde; again; [ $? = 1 ] && grep -q 'has the columns t,other, this run records t,middle' err; say 'a file of other columns is not continued' $?

# --- a full disk: one error, no words of libraries, nothing half-written ---
cat >full.pde <<'END'
s = project((u: sin(x)), mesh(rectangle(x: 0..1, y: 0..1), cells: [60, 60]))
WAY
END
for way in 'save(s, "s.h5")' 'export(s, "s.vtu")' 'export(s, "s.xdmf")' 'export(s, "s.csv")' 'plot(s.u, "s.png", width: 2000)'; do
  sed "s/WAY/$way/" full.pde >way.pde; rm -rf little; mkdir little; echo before >little/s.h5
  (ulimit -f 20; exec $TIMEOUT "$PDE" run --quiet way.pde --out little >out 2>err); status=$?
  [ $status = 7 ] && [ ! -s out ] && [ "$(grep -c 'error\[E2501\]' err)" = 1 ] && ! grep -qi 'hdf5\|library' err && [ -z "$(find little -name '.*' -type f)" ] && [ "$(cat little/s.h5)" = before ] &&
    [ "$(find little -type f | wc -l)" = 1 ] || { echo "# status $status"; sed 's/^/# /' err; find little | sed 's/^/# /'; false; }
  say "a full disk: $way" $?
done
printf 'print(norm(load("whole/run.h5").T) > 0)\n' >load.pde; pde run --quiet load.pde >out 2>err && grep -qx true out; say 'what is saved otherwise is read again' $?
rm -rf little; mkdir little
(ulimit -f 1; exec $TIMEOUT "$PDE" run --quiet run.pde -D steps=400 --out little >out 2>err); status=$?
[ $status != 0 ] && [ "$(grep -c 'error\[' err)" = 1 ] && [ -z "$(find little -name '.*' -type f)" ] && [ "$(tail -c 1 little/probes.csv | od -An -c | tr -d ' ')" = '\n' ] ||
  { echo "# status $status"; sed 's/^/# /' err; false; }
say 'a full disk: probes and checkpoint' $?

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
