# Wrong scripts, as users write them: each gives the diagnostics of its golden file and that exit status, and nothing of it has run.
#
# tests/wrong/NAME.pde is checked and then run; tests/golden/wrong/NAME.txt has what the run says, on standard error and then on standard output, and
# its exit status. Further arguments are in `arguments` below.
# `bash tests/suites/lang_wrong.sh --accept` writes the golden files anew: read the difference before you commit it.
set -u
SRCDIR=${SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}
PDE=${PDE:-bin/pde} TIMEOUT=${TIMEOUT:-timeout 60} WORK=${WORK:-$(mktemp -d)}
export NO_COLOR=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
PDE=$(realpath "$PDE")
accept=; [ "${1:-}" = --accept ] && accept=1
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1${3:+: $3}"; fi; }
arguments() { case $1 in override_unknown) echo "-D nuu=0.3" ;; override_of_another_unit) echo "-DL=100[s]" ;; esac; }
needs_gmsh() { grep -q 'mesh(.*h:' "$1"; }

mkdir -p "$WORK/out"
out=$(realpath "$WORK/out")
cd "$SRCDIR/tests/wrong" || exit 1
for script in *.pde; do
  name=${script%.pde} golden=$SRCDIR/tests/golden/wrong/$name.txt
  if [ "${WITH_GMSH:-1}" = 0 ] && needs_gmsh "$script"; then echo "skip $name: needs Gmsh"; continue; fi
  $TIMEOUT "$PDE" check "$script" >/dev/null 2>"$out/check.err" </dev/null; checked=$?
  # shellcheck disable=SC2046
  $TIMEOUT "$PDE" run "$script" $(arguments "$name") --out "$out/files" --quiet >"$out/run.out" 2>"$out/run.err" </dev/null; status=$?
  { cat "$out/run.err"; cat "$out/run.out"; echo "exit status $status"; } |
    sed -e "s|$out/files/||g" -e "s/residual of [0-9.e+-]* after [0-9]* iterations/residual of R after N iterations/" -e "s/at a residual of [0-9.e+-]*;/at a residual of R;/" >"$out/told"   # numbers of the rounding
  if [ -n "$accept" ]; then cp "$out/told" "$golden"; continue; fi
  cmp -s "$out/told" "$golden"; say "$name" $? "$(diff "$golden" "$out/told" 2>&1 | head -n 12 | tr '\n' '~' | sed 's/~/ \\n /g')"
  # What check finds, run finds before the first statement: the same words, no output, no file.
  if [ "$checked" != 0 ]; then
    cmp -s "$out/check.err" "$out/run.err" && [ ! -s "$out/run.out" ] && [ -z "$(find "$out/files" -type f 2>/dev/null)" ]; say "$name: nothing ran" $?
  fi
  rm -rf "$out/files"
done
[ -n "$accept" ] && exit 0

# One mistake, one error, with its code and place; the first one names the way out.
for golden in "$SRCDIR"/tests/golden/wrong/*.txt; do
  name=$(basename "$golden" .txt)
  [ -e "$name.pde" ]; say "$name has its script" $?
  case $name in power_python | argument_with_equals | equations_unlabelled | not_in_this_build | assert_fails | contract_fails | condition_missing_side | msh_side_without_name | sign_backwards) continue ;; esac
  [ "$(grep -c ': error\[E\|^error\[E' "$golden")" = 1 ]; say "$name: one error" $?
  grep -q '^  help: ' "$golden"; say "$name: a way out" $?
done
# What docs/errors.md quotes is what is said.
wrong=
while IFS= read -r line; do grep -qxF "$line" "$SRCDIR/tests/golden/wrong/${line%%.pde:*}.txt" 2>/dev/null || wrong=$line; done < <(grep '^[a-z_]*\.pde:[0-9]' "$SRCDIR/docs/errors.md")
[ -z "$wrong" ]; say 'docs/errors.md quotes the golden files' $? "$wrong"
[ "$(grep -c '^[a-z_]*\.pde:[0-9].*: error' "$SRCDIR/docs/errors.md")" = 10 ]; say 'docs/errors.md has ten mistakes' $?
n=$(ls ./*.pde | wc -l); [ "$n" -ge 100 ]; say "there are a hundred wrong scripts and more" $?
