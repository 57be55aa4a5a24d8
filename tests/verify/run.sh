#!/usr/bin/env bash
# make verify: what takes minutes. The scripts of tests/mms, and those beside this file (one refinement more, in three
# dimensions); then the numbers of one rank on three.
set -u
: "${SRCDIR:?}" "${PDE:?}"
export TIMEOUT="${TIMEOUT:-timeout 3600}" OMP_NUM_THREADS=1 OMPI_MCA_rmaps_base_oversubscribe=1
[ "$(id -u)" = 0 ] && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work" || exit 1
. "$SRCDIR/tests/suites/scripts_run.bash"
{ run_scripts $(ls "$SRCDIR"/tests/mms/*.pde "$SRCDIR"/tests/verify/*.pde | grep -v /orders.pde)
  RANKS=3 bash "$SRCDIR/tests/suites/ranks.sh"; } | tee log.txt
echo "$(grep -c '^ok' log.txt) passed, $(grep -c '^not ok' log.txt) failed"
! grep -q '^not ok' log.txt || exit 2
