#!/usr/bin/env bash
# Scripts that say what comes out of them. Lines in tests/lang/*.pde:
#   #! expect: TEXT               the next line of the output
#   #! error E0203 3:12-3:16      a diagnostic with that code and place (columns count from 1, the end is excluded; the place may be left out)
#   #! status 2                   the exit status; else 0, or that of the first error
#   #! check                      `pde check` instead of `pde run`
# tests/lang/scripts holds the scripts of the language's design: each must pass the checker, or be refused as a kind that this build can't run.
set -u
. "$(dirname "$0")/common.bash"

for script in "$SRCDIR"/tests/lang/*.pde; do
  name=$(basename "$script" .pde) command=run
  if without_gmsh "$script"; then skip "$name" "needs Gmsh"; continue; fi
  grep -q '^#! check' "$script" && command=check
  if [ $command = run ]; then set -- run "$script" --quiet --out "$WORK"; else set -- check "$script"; fi
  $TIMEOUT "$PDE" "$@" >"$WORK/out" 2>"$WORK/err"; status=$?
  wanted=$(sed -n 's/^#! status \([0-9]*\).*/\1/p' "$script")
  if grep -q '^#! error' "$script"; then : "${wanted:=any}"; else : "${wanted:=0}"; fi
  fault=
  if [ "$wanted" = any ]; then [ $status = 0 ] && fault="exit status 0"; elif [ $status != "$wanted" ]; then fault="exit status $status, not $wanted: $(head -n 1 "$WORK/err")"; fi
  if [ -z "$fault" ] && grep -q '^#! expect:' "$script"; then
    sed -n 's/^#! expect: \{0,1\}//p' "$script" >"$WORK/expected"
    difference=$(differs "$WORK/expected" "$WORK/out") && fault=$difference
  fi
  while [ -z "$fault" ] && read -r _ _ code place; do
    if [ -n "$place" ]; then
      start=${place%%-*} end=${place##*-}
      "$PDE" check "$script" --json >"$WORK/json" 2>/dev/null
      wanted_json="\"line\":${start%%:*},\"column\":${start##*:},\"end_line\":${end%%:*},\"end_column\":${end##*:}"
      tr -d ' \n' <"$WORK/json" | sed 's/{"code"/\n{"code"/g' | grep -F "\"code\":\"$code\"" | grep -qF "$wanted_json" || fault="no $code at $place"
    else grep -q "\[$code\]" "$WORK/err" || fault="no $code: $(head -n 1 "$WORK/err")"; fi
  done < <(grep '^#! error' "$script")
  if [ -n "$fault" ]; then bad "$name" "$fault"; else ok "$name"; fi
done

runnable="01-hello 02-units-cooling-fin 03-transient-heat 04-navier-stokes 05-elasticity-fn 06-regions 10-unicode 11-study 22-functions-loops 23-names"
for script in "$SRCDIR"/tests/lang/scripts/*.pde; do
  name=$(basename "$script" .pde)
  $TIMEOUT "$PDE" check "$script" >"$WORK/out" 2>"$WORK/err"; status=$?
  codes=$(grep -o 'error\[E[0-9]*\]' "$WORK/err" | sort -u | tr '\n' ' ')
  case $status:$codes in
    0:) ok "check $name" ;;
    4:"error[E0900] ") ok "check $name (of a later build)" ;;
    1:"error[E1034] ") ok "check $name (its CAD file is not beside it)" ;;
    *) bad "check $name" "status $status, $codes$(grep -m 1 error "$WORK/err")" ;;
  esac
  if [[ " $runnable " == *" $name "* ]]; then
    if without_gmsh "$script"; then skip "run $name" "needs Gmsh"; continue; fi
    $TIMEOUT "$PDE" run "$script" --quiet --out "$WORK" >"$WORK/out" 2>"$WORK/err"; status=$?
    if [ $status = 0 ]; then ok "run $name"; else bad "run $name" "exit status $status: $(head -n 1 "$WORK/err")"; fi
  fi
done
$TIMEOUT "$PDE" test "$SRCDIR/tests/lang/scripts/25-solution-contracts-and-tests.pde" >"$WORK/out" 2>&1 && ok "test 25-solution-contracts-and-tests" ||
  bad "test 25-solution-contracts-and-tests" "$(tail -n 1 "$WORK/out")"
