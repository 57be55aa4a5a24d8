#!/usr/bin/env bash
# The studies of examples/verification at a size of seconds: each ends with status 0, so that its acceptance rules passed, and none of
# its rules was skipped but for the order that only the full mesh shows. `make verify` runs them in full.
set -u
. "$(dirname "$0")/common.bash"
scripts=$SRCDIR/examples/verification
several=1
${MPIEXEC:-mpiexec} -n 2 true >/dev/null 2>&1 || several=

while read -r id script _ arguments; do
  file=$scripts/$script.pde
  case $id in ''|'#'*) continue ;; esac
  if without_gmsh "$file"; then skip "$id" "needs Gmsh"; continue; fi
  $TIMEOUT "$PDE" run --quiet "$file" $arguments >"$id.txt" 2>"$id.err" || { bad "$id" "$(cat "$id.txt" "$id.err" | grep -m 1 -E 'FAIL|ERROR|error')"; continue; }
  if [ $id = V8 ]; then
    if [ -z "$several" ]; then skip V8 "no mpiexec"; continue; fi
    again() { $TIMEOUT "${MPIEXEC:-mpiexec}" -n 3 "$PDE" run --quiet "$file" $arguments -D reference=1 </dev/null >"$1" 2>V8.err; }
    again V8.txt || { bad V8 "three ranks: $(cat V8.txt V8.err | grep -m 1 -E 'FAIL|ERROR|error')"; continue; }
    again V8-again.txt; if cmp -s V8.txt V8-again.txt; then ok "V8, twice the same"; else bad "V8, twice the same" "$(diff V8.txt V8-again.txt | grep -m 1 '^>')"; fi
  fi
  if ! grep -q '^  pass    hard' "$id.txt"; then bad "$id" "checked nothing"; continue; fi
  if grep '^  skipped' "$id.txt" | grep -qv CN_order_isolated; then bad "$id" "$(grep -m 1 '^  skipped' "$id.txt")"; continue; fi
  ok "$id"
done <"$SRCDIR/tests/verify/studies.txt"

# The rules themselves: witnesses that they must accept and reject.
for rules in rules fields isolation; do
  if $TIMEOUT "$PDE" test "$scripts/$rules.pde" >"$rules.txt" 2>&1 && grep -q '^ok' "$rules.txt"; then ok "witnesses of $rules"
  else bad "witnesses of $rules" "$(grep -m 1 -v '^ok' "$rules.txt")"; fi
done
