#!/usr/bin/env bash
# make verify: the studies of examples/verification in full, with the paper's figures beside ours, then what takes minutes of the project's own
# tests: the scripts of tests/mms and those beside this file, and the numbers of one rank on three.
#
#   VERIFY_OPTIONS='--only V6'     a regular expression of what to run: V1 ... V9, Vopt, E1 ... E12, mms, ranks, adversary, tapes. The rest is unattempted.
#
# Everything ends as pass, fail or unattempted; a study passes if its script ends with status 0, that is if each of its hard contracts
# passed. verify.json in the build directory holds what `pde run --json` gave for each run. Exit status 2 if anything failed.
set -u
: "${SRCDIR:?}" "${BUILDDIR:?}" "${PDE:?}"
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NO_COLOR=1 LC_ALL=C.UTF-8
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
[ "$(id -u)" = 0 ] && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
only=.
while [ $# -gt 0 ]; do
  case $1 in
    --only) only="^(${2:?--only wants a regular expression})$"; shift 2 ;;
    *) echo "run.sh: no option $1; there is --only" >&2; exit 1 ;;
  esac
done
scripts=$SRCDIR/examples/verification
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work" || exit 1
several=1; ${MPIEXEC:-mpiexec} -n 2 true </dev/null >/dev/null 2>&1 || several=
failed=0

# What a run with --json printed, as text.
printed() {
  awk '{ while (match($0, /"text":"([^"\\]|\\.)*"/)) {
           text = substr($0, RSTART + 8, RLENGTH - 9); $0 = substr($0, RSTART + RLENGTH)
           gsub(/\\n/, "\n", text); gsub(/\\"/, "\"", text); gsub(/\\\\/, "\\", text); print text } }' "$1"
}
# The verdicts and errors of such a run, a line each.
verdicts() {
  { tr -d '\n' <"$1"; echo; } | sed 's/{"contract":/\n{"contract":/g; s/{"code":/\n{"code":/g' |
    sed -n 's/^{"contract":"\(\([^"\\]\|\\.\)*\)".*"severity":"\([a-z]*\)","status":"\([a-z]*\)","v":\([^,]*\),"tolerance":\([^,]*\),.*/  \4 \3 \1: \5 of \6/p
            s/^{"contract":"\(\([^"\\]\|\\.\)*\)".*"status":"skipped_precondition".*"reason":"\(\([^"\\]\|\\.\)*\)".*/  skipped \1: \3/p
            s/^{"code":"\([^"]*\)".*"severity":"error","message":"\(\([^"\\]\|\\.\)*\)".*/  \1: \2/p'
}

# one_run NAME LIMIT RANKS SCRIPT ARGUMENTS...: leaves NAME.json; fails as the run does.
one_run() {
  local name=$1 limit=$2 ranks=$3 script=$4 launch=; shift 4
  [ "$ranks" = 0 ] || launch="${MPIEXEC:-mpiexec} -n $ranks"
  timeout -k 10 "$limit" $launch "$PDE" run --json "$script" "$@" </dev/null >"$name.json" 2>"$name.err"
  local status=$?
  [ $status = 124 ] && echo "  stopped after its limit of $limit s"
  [ -s "$name.json" ] || { sed -n '1,3s/^/  /p' "$name.err"; echo '{}' >"$name.json"; }
  return $status
}

# A study of one process.
single() { one_run "$1" "$2" 0 "$3"; local status=$?; printed "$1.json"; verdicts "$1.json"; return $status; }

# V8 and its finer relative: one process keeps its solution; 1 to 32 compare with it, each twice, and the second time to the last digit.
several_ranks() {
  local id=$1 limit=$2 script=$3 counts=$4 result=0 n again; shift 4
  one_run "$id" "$limit" 0 "$script" "$@" || { verdicts "$id.json"; return 2; }
  for n in $counts; do
    for again in a b; do
      one_run "$id-$n$again" "$limit" "$n" "$script" -D reference=1 "$@" || { echo "  $n processes:"; verdicts "$id-$n$again.json"; result=2; }
    done
    printed "$id-${n}a.json" >a.txt; printed "$id-${n}b.json" >b.txt
    printf '%2d processes: ' "$n"
    awk 'NR == 1 { next } /^(displacement|tip|strain|integrated)/ { printf "%s%s %s %s", k++ ? ", " : "", $1, $2, $NF } END { printf ". " }' a.txt
    if cmp -s a.txt b.txt; then echo 'Twice the same to the last digit.'; else echo 'The second run differs from the first.'; result=2; fi
  done
  return $result
}

# The project's own tests that take long; lines "ok ..." and "not ok ...".
own() {
  export TIMEOUT="timeout -k 10 $2"
  case $1 in
    mms) . "$SRCDIR/tests/suites/scripts_run.bash"; run_scripts $(ls "$SRCDIR"/tests/mms/*.pde "$SRCDIR"/tests/verify/*.pde | grep -v /orders.pde) ;;
    ranks) RANKS=3 bash "$SRCDIR/tests/suites/ranks.sh" ;;
  esac >"$1.txt"
  grep '^not ok' "$1.txt"
  echo "$(grep -c '^ok' "$1.txt") passed, $(grep -c '^not ok' "$1.txt") failed"
  printf '{"passed":%d,"failed":%d}\n' "$(grep -c '^ok' "$1.txt")" "$(grep -c '^not ok' "$1.txt")" >"$1.json"
  ! grep -q '^not ok' "$1.txt" && grep -q '^ok' "$1.txt"
}

# study ID LIMIT WHY-NOT COMMAND...: runs it unless it is not wanted or WHY-NOT says what is missing; a line of the summary, an object of the file.
study() {
  local id=$1 limit=$2 missing=$3 status=unattempted begin seconds=0 file runs=; shift 3
  [[ $id =~ $only ]] || missing="not chosen"
  [ -n "$missing" ] || {
    echo "--- $id"
    begin=$(date +%s.%N)
    if "$@"; then status=pass; else status=fail failed=$((failed + 1)); fi
    seconds=$(awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')
    echo "$id $status, $seconds s (limit $limit s)"; echo
  }
  printf '%-6s %-12s %8s s of %5s s  %s\n' "$id" "$status" "$seconds" "$limit" "$missing" >>summary.txt
  for file in "$id.json" "$id"-*.json; do [ -s "$file" ] && runs="$runs${runs:+,}$(tr -d '\n' <"$file")"; done
  printf '%s{"id":"%s","status":"%s","seconds":%s,"limit":%s,"reason":"%s","runs":[%s]}' "$([ -s studies.json ] && echo ',')" "$id" "$status" "$seconds" "$limit" "$missing" "$runs" >>studies.json
}

while read -r id script limit _; do
  case $id in ''|'#'*) continue ;; esac
  file=$scripts/$script.pde missing=
  [ "${WITH_GMSH:-1}" = 0 ] && grep -q 'h: ' "$file" && missing="this build has no Gmsh"
  if [ $id != V8 ]; then study "$id" "$limit" "$missing" single "$id" "$limit" "$file"; continue; fi
  [ -n "$several" ] || missing="there is no mpiexec"
  study V8 "$limit" "$missing" several_ranks V8 "$limit" "$file" '1 2 4 8 16 32'
  study Vopt "$limit" "$missing" several_ranks Vopt "$limit" "$file" '2 4' -D cells=32      # the finest cantilever, which the paper leaves out
done <"$SRCDIR/tests/verify/studies.txt"
study mms 3600 '' own mms 3600
study ranks 3600 "$([ -n "$several" ] || echo 'there is no mpiexec')" own ranks 3600
# Programs of tests/tools that judge their own figures.
tool() { env -u MAKEFLAGS -u MAKELEVEL make -s -C "$BUILDDIR" "tools/$1" && timeout -k 10 "$2" "$BUILDDIR/tools/$1"; }
study adversary 300 '' tool adversary_score 300
study tapes 300 "$(grep -q '^WITH_CMOCKA *= *1' "$BUILDDIR/Makefile" || echo 'this build has no cmocka')" tool tape_speed 300

cat summary.txt
count() { grep -c "^[^ ]* *$1 " summary.txt; }
{ printf '{"v":1,"version":"%s","passed":%d,"failed":%d,"unattempted":%d,"studies":[' "$("$PDE" --version | awk '{ print $2; exit }')" "$(count pass)" "$(count fail)" "$(count unattempted)"
  cat studies.json; echo ']}'; } >verify.json
mv verify.json "$BUILDDIR/verify.json.tmp" && mv "$BUILDDIR/verify.json.tmp" "$BUILDDIR/verify.json"
echo "$(count pass) passed, $(count fail) failed, $(count unattempted) unattempted; verify.json has the runs"
[ $failed = 0 ] || exit 2
