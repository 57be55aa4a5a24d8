# Ctrl-C, with real signals at whatever place the run has reached: it always says so, ends with 130 and leaves whole files or none.
set -u
. "$SRCDIR/tests/suites/common.bash"

cat >work.pde <<'PDE'
geometry s = rectangle(x: 0..1, y: 0..1)
pde p on s {
  unknown u : scalar P1
  -lap(u) == 1
  on all: u == 0
}
m = mesh(s, cells: [240, 240])
for solver in ["cg+hypre", "cg+icc", "mumps"] {
  sol = solve(p, m, solver: solver)
  print(max(sol.u), integral(sol.u))
  export(sol, "sol.vtu")
  save(sol, "sol.h5")
}
print("done")
PDE
# A factorisation that takes far longer than the test waits.
sed 's/rectangle(x: 0..1, y: 0..1)/box(x: 0..1, y: 0..1, z: 0..1)/; s/\[240, 240\]/[56, 56, 56]/; s/"cg+hypre", "cg+icc", //' work.pde >long.pde
endless='i = 0
while i < 1 { i = i*1 }'

# run_until SECONDS...: starts the script, sends a signal after each pause, waits at most a minute; sets status.
run_until() {
  "$PDE" run "$script" >out 2>err & local child=$! pause
  ( sleep 60; kill -KILL $child 2>/dev/null ) & local watch=$!
  for pause; do sleep "$pause"; kill -INT $child 2>/dev/null; done
  wait $child; status=$?
  kill $watch 2>/dev/null; wait $watch 2>/dev/null
}
codes() { grep -o 'error\[E[0-9]*\]' err | sort -u | tr '\n' ' '; }
litter() { find . -name '.*' -type f -o -name '*.tmp*' -type f; }

script=work.pde
n=0 failed=
for pause in 0.05 0.2 0.35 0.5 0.7 0.9 1.1 1.3 1.6 1.9; do
  rm -f sol.*
  run_until $pause
  if [ $status = 0 ]; then grep -q '^done' out || failed="$failed after $pause s it ended with 0 unfinished;"
  elif [ $status != 130 ]; then failed="$failed after $pause s it ended with $status $(codes);"
  elif grep -q 'stopping' err && [ "$(codes)" != 'error[E2090] ' ]; then failed="$failed after $pause s: $(codes);"
  fi
  [ -z "$(litter)" ] || failed="$failed after $pause s it left $(litter);"
  if [ -f sol.h5 ]; then
    printf 'sol = load("sol.h5")\nassert max(sol.u) > 0.07, "half a file"\n' >back.pde
    $TIMEOUT "$PDE" run back.pde >/dev/null 2>&1 || failed="$failed after $pause s half a file;"
  fi
  [ ! -f sol.vtu ] || tail -c 20 sol.vtu | grep -q '</VTKFile>' || failed="$failed after $pause s half a picture file;"
  [ $status = 130 ] && n=$((n + 1))
done
if [ -z "$failed" ] && [ $n -gt 0 ]; then ok 'an interrupt at any moment: E2090 alone, 130, whole files'; else bad 'an interrupt at any moment: E2090 alone, 130, whole files' "$failed ($n stopped)"; fi

script=long.pde
start=$SECONDS
run_until 4 0.4
if [ $status = 130 ] && [ $((SECONDS - start)) -lt 30 ] && [ -z "$(litter)" ]; then ok 'a second interrupt ends a run at once'; else bad 'a second interrupt ends a run at once' "status $status after $((SECONDS - start)) s"; fi
grep -q 'Ctrl-C again ends pde at once' err && ok 'the first one says what it waits for' || bad 'the first one says what it waits for' "$(cat err)"

printf '%s\n' "$endless" >endless.pde
script=endless.pde
run_until 0.7
[ $status = 130 ] && [ "$(codes)" = 'error[E2090] ' ] && grep -q 'endless.pde:2' err && ok 'an endless loop stops with its place' || bad 'an endless loop stops with its place' "status $status, $(cat err)"

# A session: what was running stops, a second Ctrl-C does not take the session away, the third ends it.
if ! command -v script >/dev/null; then skip 'Ctrl-C in a session' 'there is no script(1)'; exit 0; fi
export XDG_STATE_HOME=$WORK/state
keys() { { sleep 1.5; for k in "$@"; do printf '%b' "$k"; sleep 0.7; done; sleep 0.5; } | TERM=dumb $TIMEOUT script -qec "$PDE" /dev/null >typed 2>&1; }
grep -v '^for\|^  sol\|^  print\|^  export\|^  save\|^}$\|^print' work.pde | sed 's/^  on all.*/&\n}/; s/240, 240/300, 300/' >prelude.pde
keys ':load prelude.pde\r' '' 'kept = 6*7\r' 'sol = solve(p, m, solver: "mumps")\r' '\003' '\003' '' '' '' '' '' '' 'kept + 1\r' '' '\004'
grep -q '^43' typed && ok 'a second Ctrl-C keeps the session' || bad 'a second Ctrl-C keeps the session' "$(cat typed)"
