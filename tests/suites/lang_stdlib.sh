#!/usr/bin/env bash
# The tests of every file of the standard library pass; every public definition is documented; importing a file that uses no units
# leaves a program without them.
set -u
. "$(dirname "$0")/common.bash"

# The warnings of a file. What a fit says of data that are made to be judged badly is not one of them.
warnings() { grep -E '^[^ ]+:[0-9]+:[0-9]+: ' "$WORK/err" | grep -v 'warning\[W406[345]\]'; }

while read -r file; do
  name=${file#"$SRCDIR"/}
  if without_gmsh "$file"; then skip "$name" "needs Gmsh"; else
    $TIMEOUT "$PDE" test --quiet "$file" >"$WORK/out" 2>"$WORK/err"; status=$?
    if [ $status != 0 ]; then bad "$name" "exit status $status: $(grep -h -m 2 -e '^FAILED' -e 'error' "$WORK/out" "$WORK/err" | tr '\n' ' ')"
    elif ! grep -Eq '^[1-9][0-9]* passed, 0 failed$' "$WORK/out"; then bad "$name" "has no tests"
    elif [ -n "$(warnings)" ]; then bad "$name" "warns: $(warnings | head -n 1)"
    else ok "$name"; fi
  fi
  # the line above a public definition is a ## line, or another definition of the same comment
  undocumented=$(awk '
    /^##/ { doc = 1; next }
    /^(fn|contract|contracts|pde|geometry|param|field) [A-Za-z]/ || /^[A-Za-z][A-Za-z0-9_]* = / { if (!doc) print $1, $2; next }
    /^$/ { doc = 0 }' "$file" | head -n 1)
  if [ -n "$undocumented" ]; then bad "$name documented" "$undocumented"; else ok "$name documented"; fi
  if [[ $name != stdlib/materials/* ]]; then
    printf 'import "%s" as lib\ngeometry g = interval(0, 1)\nm = mesh(g, cells: [2])\nprint(integral(x, on: m))\n' "$(sed 's|^stdlib/||; s|\.pde$||' <<<"$name")" >"$WORK/plain.pde"
    if [ "$($TIMEOUT "$PDE" run "$WORK/plain.pde" 2>&1)" = 0.5 ]; then ok "$name without units"; else bad "$name without units" "$($TIMEOUT "$PDE" run "$WORK/plain.pde" 2>&1 | head -n 1)"; fi
  fi
  # what is tied to a geometry in plain numbers says so
  grep -q '^##.*Without units' "$file" && continue
  printf 'import "%s" as lib\ngeometry g = interval(0 [mm], 2 [mm])\nprint(diameter(g) to [mm])\n' "$(sed 's|^stdlib/||; s|\.pde$||' <<<"$name")" >"$WORK/units.pde"
  if [ "$($TIMEOUT "$PDE" run "$WORK/units.pde" 2>&1)" = "2 [mm]" ]; then ok "$name beside units"; else bad "$name beside units" "$($TIMEOUT "$PDE" run "$WORK/units.pde" 2>&1 | head -n 1)"; fi
done < <(find "$SRCDIR/stdlib" -name '*.pde' | LC_ALL=C sort)
