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
# Examples of audits, each run twice: by `pde audit` it ends with the status that its first line names ("# status 2"), else 0, and its first probe is replayed; by `pde test` it says
# the same, its witnesses hold, and, where a golden file is, that is what it prints, less the hash of the setting.
for script in "$SRCDIR"/examples/contracts/*.pde; do
  base=$(basename "$script" .pde) name=contracts/$(basename "$script" .pde) expected=$golden/contracts/$(basename "$script" .pde).txt
  grep -q 'process:\|library:\|file:\|sample(' "$script" && continue      # of other programs and files: foreign.sh
  if without_gmsh "$script"; then skip "$name" "needs Gmsh"; continue; fi
  out=$WORK/$base; mkdir -p "$out"
  wanted=$(sed -n '1s/^# status \([0-9]*\).*/\1/p' "$script")
  $TIMEOUT "$PDE" audit "$script" --quiet --out "$out" >"$out/first" 2>"$out/stderr"; status=$?
  if [ $status != "${wanted:-0}" ]; then bad "$name" "exit status $status: $(head -n 3 "$out/stderr" | tr '\n' ' ')"; continue; fi
  if [ -s "$out/stderr" ]; then bad "$name" "warns: $(head -n 1 "$out/stderr")"; continue; fi
  id=$(sed -n 's/.*replay \([0-9a-f]\{12\}\).*/\1/p' "$out/first" | head -n 1)
  if [ -n "$id" ] && ! $TIMEOUT "$PDE" audit "$script" --replay "$id" --quiet --out "$out" 2>&1 | awk -v id="$id" '$0 == "probe " id { found = 1 } / root mean square [0-9.e+-]+, largest / { fields = 1 } END { exit !(found && fields) }'; then bad "$name" "$id is not replayed"; continue; fi
  (cd "$out" && $TIMEOUT "$PDE" test "$script" --quiet) >"$out/second" 2>"$out/stderr"
  if grep -q '^FAILED' "$out/second"; then bad "$name" "$(grep -m 1 '^FAILED' "$out/second")"; continue; fi
  grep -Ev '^ok     "|^[0-9]+ passed, 0 failed$' "$out/second" >"$out/again"
  if difference=$(differs "$out/first" "$out/again"); then bad "$name" "two runs differ: $difference"; continue; fi
  sed 's/vset [0-9a-f]*/vset/' "$out/second" >"$out/stdout"
  if [ "${GOLDEN:-}" = write ] && [ -e "$expected" ]; then cp "$out/stdout" "$expected"; fi
  if [ -e "$expected" ] && difference=$(differs "$expected" "$out/stdout"); then bad "$name" "$difference"; else ok "$name"; fi
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
