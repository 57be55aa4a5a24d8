# Every code of lang/diag.def: the index docs/diagnostics.md has it, its example gives it, and the mended example does not.
# `bash tests/suites/lang_codes.sh --accept` writes the index anew.
set -u
SRCDIR=${SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}
PDE=${PDE:-bin/pde} TIMEOUT=${TIMEOUT:-timeout 60} WORK=${WORK:-$(mktemp -d)}
export NO_COLOR=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
PDE=$(realpath "$PDE")
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1${3:+: $3}"; fi; }
mkdir -p "$WORK/scripts"; cd "$WORK" || exit 1
${CC:-cc} -I"$SRCDIR/lang" -o diag_index "$SRCDIR/tests/tools/diag_index.c" || exit 1
if [ "${1:-}" = --accept ]; then ./diag_index >"$SRCDIR/docs/diagnostics.md"; exit; fi
./diag_index | cmp -s - "$SRCDIR/docs/diagnostics.md"; say 'docs/diagnostics.md is what lang/diag.def says' $?
./diag_index scripts; say 'example scripts' $?
[ "$(sed -n 's/^DIAG(.\([0-9]*\),.*/\1/p' "$SRCDIR/lang/diag.def" | sort -n -c 2>&1)" = "" ]; say 'the rows are sorted by code' $?

# A script whose first line is `#! audit --replay ID` or `#! check` is run by that command, else by `pde run`.
tell() {
  local command; read -r -a command < <(sed -n '1s/^#! //p' "$1")
  local out=(--out out --quiet); [ "${command[0]:-}" = check ] && out=()
  $TIMEOUT "$PDE" "${command[0]:-run}" "$1" "${command[@]:1}" ${out[@]+"${out[@]}"} 2>&1 </dev/null
}
for script in scripts/*.bad.pde; do
  code=$(basename "$script" .bad.pde)
  if [ "${WITH_GMSH:-1}" = 0 ] && grep -q 'h:\|disk' "$script"; then echo "skip $code: needs Gmsh"; continue; fi
  told=$(tell "$script")
  case $told in *"[$code]"*) say "$code: its example gives it" 0 ;; *) say "$code: its example gives it" 1 "$(echo "$told" | head -n 1)" ;; esac
  good=scripts/$code.good.pde
  [ -e "$good" ] || continue
  told=$(tell "$good")
  case $told in *"[$code]"* | *": error["*) say "$code: the mended example does not" 1 "$(echo "$told" | head -n 1)" ;; *) say "$code: the mended example does not" 0 ;; esac
done
