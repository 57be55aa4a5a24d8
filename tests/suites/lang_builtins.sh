#!/usr/bin/env bash
# The example of every builtin function runs, and prints the result that it names; so do the scripts on the pages of kinds of declarations.
set -u
. "$(dirname "$0")/common.bash"
: "${BUILDDIR:?}"
make -s -C "$BUILDDIR" tools/builtin_examples >"$WORK/make" 2>&1 || { bad builtin_examples "cannot be built: $(tail -n 1 "$WORK/make")"; exit 0; }
mkdir -p "$WORK/examples"
"$BUILDDIR/tools/builtin_examples" "$WORK/examples" >"$WORK/names" || bad builtin_examples "did not write them"

while read -r name what; do
  script=$WORK/examples/$name.pde
  [ "$what" = without ] && continue
  if without_gmsh "$script"; then skip "$name()" "needs Gmsh"; continue; fi
  # the example of a shape is an expression: it gets a name
  [[ $name == kind-* ]] || grep -Eq '^(print|assert|plot|[a-z_]+ = |field |geometry |param |study |pde |fn |contract )' "$script" || sed -i '1s/^/geometry example = /' "$script"
  $TIMEOUT "$PDE" run "$script" --quiet --out "$WORK/out" >"$WORK/stdout" 2>"$WORK/err" </dev/null; status=$?
  if [ $status != 0 ]; then bad "$name()" "exit status $status: $(head -n 1 "$WORK/err")"
  elif [ "$what" = result ] && difference=$(differs "$WORK/examples/$name.txt" "$WORK/stdout"); then bad "$name()" "$difference"
  else ok "$name()"; fi
done <"$WORK/names"
