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
for file in "$golden"/*.txt; do
  [ -f "$SRCDIR/examples/$(basename "$file" .txt).pde" ] || bad "$(basename "$file")" "a golden file without its example"
done
