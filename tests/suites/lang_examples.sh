#!/usr/bin/env bash
# Every example runs with status 0 and prints what tests/golden/examples/NAME.txt holds. GOLDEN=write writes those files anew.
set -u
. "$(dirname "$0")/common.bash"
golden=$SRCDIR/tests/golden/examples

for script in "$SRCDIR"/examples/*.pde; do
  name=$(basename "$script" .pde) out=$WORK/$name
  if without_gmsh "$script"; then skip "$name" "needs Gmsh"; continue; fi
  mkdir -p "$out"
  $TIMEOUT "$PDE" run "$script" --quiet --out "$out" >"$out/stdout" 2>"$out/stderr"; status=$?
  if [ $status != 0 ]; then bad "$name" "exit status $status: $(head -n 3 "$out/stderr" | tr '\n' ' ')"; continue; fi
  if [ -s "$out/stderr" ]; then bad "$name" "warns: $(head -n 1 "$out/stderr")"; continue; fi
  if [ "${GOLDEN:-}" = write ]; then cp "$out/stdout" "$golden/$name.txt"; fi
  if [ ! -f "$golden/$name.txt" ]; then bad "$name" "no golden file"; continue; fi
  if difference=$(differs "$golden/$name.txt" "$out/stdout"); then bad "$name" "$difference"; continue; fi
  missing=
  for picture in $(sed -n 's/^plot(.*"\([^"]*\.\(png\|svg\)\)".*/\1/p' "$script"); do [ -s "$out/$picture" ] || missing="$missing $picture"; done
  if [ -n "$missing" ]; then bad "$name" "did not draw$missing"; continue; fi
  ok "$name"
done
# Examples of audits: each ends with the status that its first line names ("# status 2"), else 0; a second run says the same.
for script in "$SRCDIR"/examples/contracts/*.pde; do
  name=contracts/$(basename "$script" .pde)
  grep -q 'process:\|library:\|file:\|sample(' "$script" && continue      # of other programs and files: tested with these
  if without_gmsh "$script"; then skip "$name" "needs Gmsh"; continue; fi
  wanted=$(sed -n '1s/^# status \([0-9]*\).*/\1/p' "$script")
  $TIMEOUT "$PDE" audit "$script" --quiet --out "$WORK" >"$WORK/first" 2>"$WORK/stderr"; status=$?
  if [ $status != "${wanted:-0}" ]; then bad "$name" "exit status $status: $(head -n 3 "$WORK/stderr" | tr '\n' ' ')"; continue; fi
  if [ -s "$WORK/stderr" ]; then bad "$name" "warns: $(head -n 1 "$WORK/stderr")"; continue; fi
  $TIMEOUT "$PDE" audit "$script" --quiet --out "$WORK" >"$WORK/second" 2>&1
  if difference=$(differs "$WORK/first" "$WORK/second"); then bad "$name" "two runs differ: $difference"; continue; fi
  id=$(sed -n 's/.*replay \([0-9a-f]\{12\}\).*/\1/p' "$WORK/first" | head -n 1)
  if [ -n "$id" ] && ! $TIMEOUT "$PDE" audit "$script" --replay "$id" --quiet --out "$WORK" 2>&1 | grep -q "^probe $id"; then bad "$name" "$id is not replayed"; continue; fi
  ok "$name"
done
# Audits: what they print, less the hash of the setting; and the witnesses of the script. Those without a golden file: foreign.sh.
for expected in "$golden"/contracts/*.txt; do
  name=$(basename "$expected" .txt) script=$SRCDIR/examples/contracts/$(basename "$expected" .txt).pde out=$WORK/$(basename "$expected" .txt)
  if without_gmsh "$script"; then skip "contracts/$name" "needs Gmsh"; continue; fi
  mkdir -p "$out"
  $TIMEOUT "$PDE" test "$script" --quiet >"$out/full" 2>"$out/stderr"; status=$?
  if [ $status != 0 ] || [ -s "$out/stderr" ]; then bad "contracts/$name" "exit status $status: $(head -n 3 "$out/stderr" | tr '\n' ' ')"; continue; fi
  sed 's/vset [0-9a-f]*/vset/' "$out/full" >"$out/stdout"
  if [ "${GOLDEN:-}" = write ]; then cp "$out/stdout" "$expected"; fi
  if difference=$(differs "$expected" "$out/stdout"); then bad "contracts/$name" "$difference"; else ok "contracts/$name"; fi
done
# Data of discovery, with fewer cells and times, and fits of given laws: the same numbers on every machine, to the digits that they print.
for script in "$SRCDIR"/examples/discovery/*.pde; do
  name=discovery/$(basename "$script" .pde) out=$WORK/discovery sizes="-D cells=20 -D frames=12 -D nodes=33"
  mkdir -p "$out"
  case $name in
    discovery/common|*_truth) continue;;
    discovery/find_*) if $TIMEOUT "$PDE" check "$script" >"$out/stdout" 2>&1; then ok "$name"; else bad "$name" "$(head -n 1 "$out/stdout")"; fi; continue;;
    discovery/rod) sizes=;;
    discovery/missing_sensors|discovery/pictures) sizes="-D cells=24 -D frames=60 -D nodes=40";;
  esac
  $TIMEOUT "$PDE" run "$script" --quiet --out "$out" $sizes >"$out/stdout" 2>"$out/stderr"; status=$?
  if [ $status != 0 ]; then bad "$name" "exit status $status: $(head -n 3 "$out/stderr" | tr '\n' ' ')"; continue; fi
  if [ "${GOLDEN:-}" = write ]; then mkdir -p "$golden/discovery" && cp "$out/stdout" "$golden/$name.txt"; fi
  if difference=$(differs "$golden/$name.txt" "$out/stdout"); then bad "$name" "$difference"; else ok "$name"; fi
done
for file in "$golden"/*.txt; do
  [ -f "$SRCDIR/examples/$(basename "$file" .txt).pde" ] || bad "$(basename "$file")" "a golden file without its example"
done
