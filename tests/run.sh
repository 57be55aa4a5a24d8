#!/usr/bin/env bash
# run.sh [--smoke] [PATTERN]: runs every test of a build and closes with the line "N passed, N failed"; exit 2 if any failed.
#
# `make check` calls it in the build directory with SRCDIR, BUILDDIR, MPIEXEC, WITH_LLVM, ... set. What it runs:
#   tests/test_NAME       unit tests (cmocka). test_num_* run under PDE_JIT=interp and again under llvm,
#                         test_mpi_* under mpiexec -n 2 (test_mpi3_* under -n 3)
#   tests/suites/NAME.sh  scripts that print "ok NAME", "not ok NAME: why" or "skip NAME: why" for each test.
#                         They see $PDE (the command), $SRCDIR, $BUILDDIR, $WORK (an empty directory of their own)
#                         and $TIMEOUT (a command prefix for one test)
# --smoke leaves out what needs long or needs a part that this build may lack: the suites other than lang*, smoke*, fmt*
# and golden*, and the unit tests test_num_*, test_mpi_*, test_gmsh_*, test_jit_*.
# PATTERN (an extended regular expression) chooses tests by name: make check is run.sh '' .
set -u
: "${SRCDIR:?}" "${BUILDDIR:?}"
smoke=; [ "${1:-}" = --smoke ] && { smoke=1; shift; }
pattern=${1:-${TESTS:-}}
jobs=${TEST_JOBS:-$(nproc 2>/dev/null || echo 1)}
logs=$BUILDDIR/check-logs
rm -rf "$logs"; mkdir -p "$logs"

export SRCDIR BUILDDIR PDE="$BUILDDIR/bin/pde" PDE_LIBDIR="$BUILDDIR/pde"
limit=300; [ "${ENABLE_ASAN:-0}" = 1 ] && limit=1500     # seconds for one test
export TIMEOUT="timeout -k 10 $limit"
export PDE_CACHE="$logs/cache" XDG_CACHE_HOME="$logs/xdg" XDG_CONFIG_HOME="$logs/xdg" XDG_STATE_HOME="$logs/xdg" XDG_DATA_HOME="$logs/xdg"
export NO_COLOR=1 LC_ALL=C.UTF-8 CMOCKA_MESSAGE_OUTPUT=TAP
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
[ "$(id -u)" = 0 ] && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
[ "${ENABLE_ASAN:-0}" = 1 ] && export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_odr_violation=0:detect_stack_use_after_return=1}"
export LEAKS_NOT_LOOKED_FOR="$logs/leaks-not-looked-for"      # a byte for each process, by tests/asan.c
unset PDE_JIT PDE_PATH PDE_LLM_ENDPOINT PDE_LLM_API_KEY 2>/dev/null

# Each job: a name and a command; output and status go to files of that name.
names=() commands=() late_names=() late_commands=()
wanted() { [ -z "$pattern" ] || [[ $1 =~ $pattern ]]; }
job() { wanted "$1" && { names+=("$1"); commands+=("$2"); }; }
late() { wanted "$1" && { late_names+=("$1"); late_commands+=("$2"); }; }   # several processes: one such job at a time

for source in "$SRCDIR"/tests/unit/test_*.c; do
  [ -e "$source" ] || continue
  t=$(basename "$source" .c) binary=$BUILDDIR/tests/$(basename "$source" .c)
  case $smoke:$t in
    1:test_num_* | 1:test_mpi* | 1:test_gmsh_* | 1:test_jit_*) ;;
    *:test_num_*)
      job "$t[interp]" "PDE_JIT=interp $TIMEOUT $binary"
      [ "${WITH_LLVM:-1}" = 1 ] && job "$t[llvm]" "PDE_JIT=llvm $TIMEOUT $binary" ;;
    *:test_mpi3_*) late "$t[n=3]" "$TIMEOUT ${MPIEXEC:-mpiexec} -n 3 $binary" ;;
    *:test_mpi*) late "$t[n=2]" "$TIMEOUT ${MPIEXEC:-mpiexec} -n 2 $binary" ;;
    *:test_jit_*) [ "${WITH_LLVM:-1}" = 1 ] && job "$t" "$TIMEOUT $binary" ;;
    *:test_gmsh_*) [ "${WITH_GMSH:-1}" = 1 ] && job "$t" "$TIMEOUT $binary" ;;
    *) job "$t" "$TIMEOUT $binary" ;;
  esac
done
for script in "$SRCDIR"/tests/suites/*.sh; do
  [ -e "$script" ] || continue
  s=$(basename "$script" .sh)
  case $smoke:$s in
    1:lang* | 1:smoke* | 1:fmt* | 1:golden*) ;;
    1:*) continue ;;
  esac
  command="timeout -k 10 $((6 * limit)) bash $script"
  case $s in mpi*) late "$s" "$command" ;; *) job "$s" "$command" ;; esac
done

run() {   # run NAME COMMAND
  local log=$logs/$1.log status
  export WORK=$logs/$1.work; mkdir -p "$WORK"
  (cd "$WORK" && eval "$2") >"$log" 2>"$logs/$1.err" </dev/null; status=$?
  echo "$status" >"$logs/$1.status"
}

n=${#names[@]} i=0
while [ $i -lt "$n" ]; do
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
  run "${names[$i]}" "${commands[$i]}" &
  i=$((i + 1))
done
wait
for i in "${!late_names[@]}"; do run "${late_names[$i]}" "${late_commands[$i]}"; done

# A job counts the "ok" and "not ok" lines of its log. A crash, a time-out or a silent job is one more failure. Under
# mpiexec every rank prints: a test that failed on any rank has failed once.
passed=0 failed=0 skipped=0
for name in ${names[@]+"${names[@]}"} ${late_names[@]+"${late_names[@]}"}; do
  log=$logs/$name.log status=$(cat "$logs/$name.status" 2>/dev/null || echo 'none')
  sed -i 's/^not ok [0-9]* # SKIP \(.*\)/skip \1: does not work in this build/' "$log"        # as cmocka prints it
  ok=$(sed -n 's/^ok \([0-9]* *-* *\)\{0,1\}//p' "$log" | sort -u)
  bad=$(sed -n 's/^not ok \([0-9]* *-* *\)\{0,1\}//p' "$log" | sort -u)
  [ -n "$bad" ] && ok=$(comm -23 <(echo "$ok") <(echo "$bad"))
  skip=$(grep -c '^skip ' "$log")
  p=$(grep -c . <<<"$ok") f=$(grep -c . <<<"$bad")
  if [ "$f" = 0 ] && { [ "$status" != 0 ] || [ $((p + skip)) = 0 ]; }; then
    f=1
    case $status in
      124 | 137) bad='(stopped: took too long)' ;;
      126 | 127) bad='(could not be run)' ;;
      0) bad='(ran no test)' ;;
      *) bad="(exit status $status)" ;;
    esac
  fi
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + skip))
  if [ "$f" != 0 ]; then
    sed "s|^|not ok $name: |" <<<"$bad"
    { grep -v -e '^ok ' -e '^not ok ' -e '^[0-9]*\.\.[0-9]*$' "$log"; cat "$logs/$name.err"; } | tail -n 60 | sed 's/^/    /'
  else
    echo "ok $name: $p passed$([ "$skip" != 0 ] && echo ", $skip skipped")"
  fi
  [ "$skip" != 0 ] && grep '^skip ' "$log" | sed 's/^/    /'
done
if [ "$passed" = 0 ] && [ "$failed" = 0 ]; then echo "run.sh: no test matches '$pattern'" >&2; failed=1; fi
[ "$skipped" = 0 ] || echo "$skipped skipped"
[ -s "$LEAKS_NOT_LOOKED_FOR" ] && echo "the leak sanitizer itself failed in $(wc -c <"$LEAKS_NOT_LOOKED_FOR") processes: their leaks were not looked for"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] || exit 2
