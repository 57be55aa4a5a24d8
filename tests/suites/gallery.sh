#!/usr/bin/env bash
# The gallery: every case of examples/gallery runs, draws its picture, exports its fields and is verified, by a reference or by refinement.
# Those that say "# Slow" run with GALLERY=all, as `make verify` sets it.
set -u
. "$(dirname "$0")/common.bash"
for script in "$SRCDIR"/examples/gallery/*.pde; do
  name=$(basename "$script" .pde) out=$WORK/$name
  [ "$name" = qualify ] && continue
  if [ "${GALLERY:-}" != all ] && grep -q '^# Slow' "$script"; then skip "$name" "slow: make verify runs it"; continue; fi
  if without_gmsh "$script"; then skip "$name" "needs Gmsh"; continue; fi
  mkdir -p "$out"
  $TIMEOUT "$PDE" run --quiet "$script" --out "$out" >"$out/stdout" 2>"$out/stderr"; status=$?
  if [ $status != 0 ]; then bad "$name" "exit status $status: $(head -n 3 "$out/stderr" | tr '\n' ' ')"; continue; fi
  if [ -s "$out/stderr" ]; then bad "$name" "warns: $(head -n 1 "$out/stderr")"; continue; fi
  if ! grep -q ': verified by ' "$out/stdout"; then bad "$name" "nothing is verified"; continue; fi
  if grep -q '^  fail' "$out/stdout" || ! grep -q '^  pass' "$out/stdout"; then bad "$name" "contracts: $(grep -m1 '^  fail' "$out/stdout")"; continue; fi
  missing=
  for file in $(sed -n 's/^\(plot\|export\)(.*"\([a-z_]*\.\(png\|vtu\|pvd\)\)".*/\2/p' "$script"); do [ -s "$out/$file" ] || missing="$missing $file"; done
  if [ -n "$missing" ]; then bad "$name" "did not write$missing"; continue; fi
  ok "$name"
done
