#!/usr/bin/env bash
# make bench: how fast we are beside FEniCSx and FreeFEM (docs/speed.md). BENCH_OPTIONS go to bench.py: --reps N, --only whole,assembly,start.
set -eu
: "${SRCDIR:?make bench sets it}" "${BUILDDIR:?}" "${PDE:?}"
command -v /usr/bin/python3 >/dev/null || { echo 'bench: needs Debian'"'"'s python3, which runs the table and FEniCSx' >&2; exit 1; }
env -u MAKEFLAGS -u MAKELEVEL make -s -C "$BUILDDIR" tools/assembly_bench
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 LC_ALL=C
# Debian's FreeFEM does not find its own files; OpenMPI refuses to start for root without being told.
export FF_INCLUDEPATH='/usr/include/freefem++/idp;;' FF_LOADPATH='/usr/lib/freefem++;;'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Compiled forms and kernels of everybody, kept between runs.
export XDG_CACHE_HOME="$BUILDDIR/bench-cache"
mkdir -p "$XDG_CACHE_HOME"
# One core, the last of those that we may use.
core=$(taskset -cp $$ | sed 's/.*[:,-] *//')
exec taskset -c "$core" /usr/bin/python3 -u "$SRCDIR/tests/bench/bench.py" ${BENCH_OPTIONS:-}
