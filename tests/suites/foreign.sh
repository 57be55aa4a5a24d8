#!/usr/bin/env bash
# Predictors of other programs, and samplings: NumPy's and C's examples, data files to and fro, a kill, several processes, several ranks.
set -u
. "$(dirname "$0")/common.bash"
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1${3:+: $3}"; sed 's/^/# /' err | tail -n 8; fi; }
pde() { $TIMEOUT "$PDE" "$@" >out 2>err; }

# ---- predictors ----
python=
for p in python3 /usr/bin/python3; do "$p" -c 'import numpy' 2>/dev/null && { python=$(command -v "$p"); break; }; done
cp "$SRCDIR"/examples/contracts/* .
if [ -n "$python" ]; then
  mkdir -p path; printf '#!/bin/sh\nexec %s "$@"\n' "$python" >path/python3; chmod +x path/python3
  PATH="$PWD/path:$PATH" pde run foreign-program.pde && grep -q 'gate passes,' out; say 'a NumPy program is audited' $?
  sed 's/return {"T": z\["q"\]\[:, None\]/return {"T": z["q"][:, None]**1.2/' predict.py >bad.py
  sed 's/predict.py/bad.py/' foreign-program.pde >bad.pde
  PATH="$PWD/path:$PATH" pde run bad.pde; [ $? = 2 ] && grep -q 'FAIL    hard linear' out; say 'one that is not linear fails' $? "$(tail -n 3 out)"
  sed 's/    x = world/    if z["q"][0] > 1.2: raise ValueError("outside of what I was trained on")\n    x = world/' predict.py >bad.py
  PATH="$PWD/path:$PATH" pde run bad.pde; [ $? = 2 ] && grep -q 'ERROR.*ValueError: outside of what I was trained on' out; say 'one that refuses is an error, with its words' $? "$(tail -n 3 out)"
  sed 's/^def predict/print("hello")\ndef predict/; s/^import sys/import sys, os; os.write(1, b"loading\\n")/' predict.py >bad.py
  PATH="$PWD/path:$PATH" pde run bad.pde; [ $? = 2 ] && grep -q 'ERROR.*`loading`' out && grep -q 'gate passes nothing' out; say 'one that prints to its standard output is told so' $? "$(tail -n 3 out)"
  make -s -C "$BUILDDIR" tools/predictor_bench >out 2>err && "$BUILDDIR/tools/predictor_bench" "exec $python predict.py" >out 2>err && ! grep -q WRONG out &&
    awk '/a MB/ { fine = $2 < 20 && $5 < 20 } END { exit !fine }' out; say 'an exchange costs milliseconds' $? "$(tail -n 1 out)"
else
  echo 'skip NumPy programs: no python3 with numpy (package python3-numpy)'
fi
${CC:-cc} -O2 -shared -fPIC -I "$SRCDIR/runtime" -o predict.so predict.c 2>err; say 'the shared object of the examples compiles' $?
sed 's/process: "python3 predict.py"; timeout: 30/library: ".\/predict.so"/' foreign-program.pde >library.pde
pde run library.pde && grep -q 'gate passes,' out; say 'a shared object is audited' $?
sed 's/python3 predict.py/no-such-command-here/' foreign-program.pde >none.pde
pde run none.pde; [ $? = 2 ] && grep -q 'ERROR.*a command that is not there' out && grep -q 'gate passes nothing' out; say 'a command that is not there is an error of every verdict' $? "$(tail -n 3 out)"
sed 's/python3 predict.py/exec sleep 4711/' foreign-program.pde >hangs.pde
sleeper() { for s in /proc/[0-9]*/cmdline; do [ "$(tr '\0' ' ' <"$s" 2>/dev/null)" = 'sleep 4711 ' ] && { s=${s%/cmdline}; echo "${s#/proc/}"; return; }; done; }
lives() { case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in '' | Z*) return 1;; esac; }
for signal in TERM HUP KILL; do
  "$PDE" run hangs.pde >out 2>err & pid=$!
  for i in $(seq 100); do child=$(sleeper); [ -n "$child" ] && break; sleep 0.1; done
  kill -$signal $pid; wait $pid 2>/dev/null
  for i in $(seq 50); do [ -n "$child" ] && lives "$child" || break; sleep 0.1; done
  [ -n "$child" ] && ! lives "$child"; say "a program ends with the run that $signal ends" $?
  [ -n "$child" ] && kill "$child" 2>/dev/null
done
pde check none.pde; say 'checking starts no program' $?

# ---- samplings ----
cat >bank.pde <<'END'
(u, v) = histories(6, 0..1 by 0.05, amplitude: 0.5, seed: 3, rates: true)
export((load: u), "loads.h5")
geometry bar = interval(0, 1)
pde heat(load = 1) on bar {
  unknown T : scalar P1
  dt(T) == lap(T) + load
  on all: T == 0
  initially: T == 0
}
map warmed {
  input load(t) from bank "loads.h5"
  output T(t) from solve(heat(load), mesh(bar, cells: [8]), time: 0..1, step: 0.1)
}
d = sample(warmed, 6, file: "warmed.npz")
print(d)
model seen for warmed { file: "warmed.npz" }
contract begins_cold(m: model) {
  probe z in domain(m)
  violation = norm(m(z) at 0)/scale(m)
  tolerance = 1e-9
}
check seen against begins_cold(seen)
END
pde run bank.pde && grep -q '6 cases of load(t) -> T(t), 9 nodes, 11 times' out && grep -q 'pass .*begins_cold' out; say 'a bank from a file, histories and fields over time recorded' $? "$(tail -n 3 out)"
pde run data-set.pde && grep -q 'skipped soft linear' out && grep -q 'gate passes,' out && [ -s cases.npz ] && [ ! -e cases.npz.part ]; say 'cases go to a file, recorded ones are audited' $? "$(tail -n 4 out)"
cat >slow.pde <<'END'
param processes = 1
param seed = 5
geometry square = rectangle(x: 0..1, y: 0..1)
pde conduct(q = 1) on square {
  unknown T : scalar P2
  -lap(T) == q*(1 + T^2)
  on all: T == 0
}
map slab {
  input q in 0.5..2
  output T from solve(conduct(q), mesh(square, cells: [48, 48]))
}
d = sample(slab, 24, seed: seed, file: "slow.h5", processes: processes)
print(d.count, "cases")
END
pde run slow.pde --out whole && grep -q '24 cases' out; say 'a sampling in one go' $?
mkdir -p killed
"$PDE" run slow.pde --out killed >out 2>err & run=$!
for k in $(seq 600); do
  size=$(stat -c %s killed/slow.h5.part 2>/dev/null || echo 0)
  [ "$size" -gt $((64 + 3 * 8 * 9409)) ] && break
  sleep 0.05
done
kill -9 "$run"; wait "$run" 2>/dev/null
[ -s killed/slow.h5.part ] && [ ! -e killed/slow.h5 ]; say 'killed, it leaves its rows' $?
truncate -s -1000 killed/slow.h5.part
before=$(stat -c %s killed/slow.h5.part)
pde run slow.pde --out killed && cmp -s whole/slow.h5 killed/slow.h5 && [ ! -e killed/slow.h5.part ] && [ "$before" -gt 100000 ]; say 'it goes on, with the same bytes in the end' $?
pde run slow.pde -D processes=2 --out shared && cmp -s whole/slow.h5 shared/slow.h5; say 'two processes give the same bytes' $?
pde run slow.pde --out whole && [ ! -e whole/slow.h5.part ]; say 'a complete file is read' $?
pde run slow.pde -D seed=6 --out whole; [ $? = 1 ] && grep -q E3155 err; say 'one of another seed is not written over' $?
if [ -n "${MPIEXEC:-}" ]; then
  timeout 300 "$MPIEXEC" -n 2 "$PDE" run slow.pde --out ranks >out 2>err && [ -s ranks/slow.h5 ]; say 'two ranks give the file too' $?
fi
if [ -n "$python" ]; then
  "$python" - <<'END' >out 2>err && grep -q fine out; say 'NumPy reads what was written, and is read' $?
import numpy as np
z = np.load("cases.npz")
q, k, x = z["inputs/q"], z["inputs/k"], z["nodes"][:, 0]
T = q[:, None] / k[:, None] * (x - x * x / 2)[None, :]
assert abs(z["outputs/T"] - T).max() < 1e-12, abs(z["outputs/T"] - T).max()
np.savez_compressed("again.npz", **{"inputs/q": q, "inputs/k": k, "nodes": z["nodes"][::-1], "outputs/T": T[:, ::-1]})
print("fine")
END
  sed 's/model seen for slab { file: "cases.npz" }/model seen for slab { file: "again.npz" }/' data-set.pde >again.pde
  pde run again.pde && grep -q 'gate passes,' out; say 'a compressed file of NumPy, its nodes in another order' $?
fi
