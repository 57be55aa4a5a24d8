# The command: arguments, exit statuses, what goes where, the JSON envelope, documentation, the manual page.
set -u
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1"; fi; }
status() { "${@:2}" >out 2>err; local got=$?; [ $got = "$1" ] || { echo "# status $got, not $1: ${*:2}"; sed 's/^/# /' err; return 1; }; }
pde() { $TIMEOUT "$PDE" "$@"; }

cat >poisson.pde <<'END'
param k = 1
geometry s = rectangle(x: 0..1, y: 0..1)
pde poisson on s {
  unknown u : scalar P1
  -div(k*grad(u)) == 1
  on all: u == 0
}
sol = solve(poisson, mesh(s, cells: [8, 8]))
top = max(sol.u)
print("top", top)
END
printf 'x = 1\nprint(yy)\n' >wrong.pde
printf 'assert 1 > 2, "no"\n' >fails.pde
printf 'check 3 against 3 <= 2\n' >contract.pde
printf 'surrogate s {\n}\n' >later.pde

# --- exit statuses, streams ---
status 0 pde run poisson.pde && grep -q '^top 0.07' out && [ ! -s err ]; say 'run: results on standard output alone' $?
status 1 pde run wrong.pde && [ ! -s out ] && grep -q 'wrong.pde:2:7: error\[E0101\]' err; say 'run: a wrong script ends with 1, diagnostics on standard error' $?
status 2 pde run fails.pde; say 'run: a failed assert ends with 2' $?
status 2 pde run contract.pde; say 'run: a failed hard contract ends with 2' $?
status 1 pde run nowhere.pde && grep -q E0961 err; say 'run: a missing file ends with 1' $?
status 1 pde run . && grep -q 'directory' err; say 'run: a directory is no script' $?
status 4 pde run later.pde && grep -q E0900 err; say 'run: a kind of later builds ends with 4' $?
status 4 pde run spec.json; say 'run: a JSON specification ends with 4' $?
for command in spec ask reply session resume replay mcp lsp; do
  status 4 pde $command x && grep -q 'E0900' err && [ "$(wc -l <err)" -le 3 ] || { say "$command ends with 4 and a sentence" 1; false; }
done; say 'commands of later builds end with 4 and a sentence' $?
status 7 env PDE_LIBDIR="$WORK" "$PDE" run poisson.pde && grep -q E0950 err && grep -q doctor err; say 'run: a missing engine ends with 7 and names pde doctor' $?
pde run poisson.pde >/dev/full 2>err; [ $? = 7 ]; say 'a full disk under standard output is no success' $?

# --- arguments ---
status 1 pde rnu && grep -q 'did you mean `pde run`' err; say 'a misspelt command' $?
status 1 pde poisson.pde && grep -q 'pde run poisson.pde' err; say 'a file in place of a command' $?
status 1 pde run && grep -q 'FILE is missing' err; say 'a missing argument' $?
status 1 pde run poisson.pde again.pde && grep -q 'too many' err; say 'one argument too many' $?
status 1 pde run --outt d poisson.pde && grep -q 'did you mean `--out`' err; say 'a misspelt option' $?
status 1 pde run poisson.pde --out && grep -q 'needs a value' err; say 'an option without its value' $?
status 1 pde run poisson.pde --quiet=3 && grep -q 'takes no value' err; say 'a flag with a value' $?
status 0 pde run poisson.pde -D k=2 && cp out two && status 0 pde run -Dk=1 poisson.pde && ! cmp -s out two; say 'run -D, before and after the file' $?
status 1 pde run -D kk=2 poisson.pde && grep -q 'E0520' err && grep -q '`k`' err; say 'run -D of a param that is not there' $?
printf 'param L = 60 [mm]\nprint(L to [mm])\n' >length.pde
status 0 pde run -D 'L=6 [cm]' length.pde && grep -qx '60 \[mm\]' out; say 'run -D in another unit of the same quantity' $?
status 1 pde run -D 'L=6 [s]' length.pde && grep -q 'E0302' err && grep -q 'carries s; the param carries m' err; say 'run -D in a unit of something else' $?
status 1 pde run -D L=6 length.pde && grep -q 'E0302' err && grep -q "L=6 \[" err; say 'run -D without the unit of the param' $?
status 1 pde run -D k poisson.pde; say 'run -D without a value' $?
status 0 pde run poisson.pde -- -ksp_max_it 7; say 'run -- options of PETSc' $?
printf 'geometry s = interval(0, 1)\nplot(mesh(s, cells: [4]), "m.svg")\n' >draws.pde
status 0 pde run draws.pde --out deep/er && [ -s deep/er/m.svg ] && [ ! -e m.svg ]; say 'run --out makes the directory and writes there' $?
status 0 pde run - <poisson.pde; say 'run - reads standard input' $?

# --- JSON ---
python=$(command -v python3 || :)
json() { [ -z "$python" ] || "$python" -c "import json,sys
d = json.load(open('out'), parse_constant=lambda c: sys.exit('not JSON: ' + c))
sys.exit(0 if ($1) else repr(d)[:500])"; }
status 0 pde run --json poisson.pde && [ "$(wc -l <out)" = 1 ] && json "d['v'] == 1 and d['command'] == 'run' and d['ok'] and d['diagnostics'] == [] and d['result']['printed'][1]['name'] == 'top' and abs(d['result']['printed'][1]['value'] - 0.0728) < 1e-3"
say 'run --json: printed values with names' $?
sed 's/"meta":.*//' out >first; status 0 pde run --json poisson.pde; sed 's/"meta":.*//' out | cmp -s - first; say 'run --json: the same bytes but for meta' $?
status 1 pde run --json wrong.pde && [ ! -s err ] && json "not d['ok'] and d['diagnostics'][0]['code'] == 'E0101' and d['diagnostics'][0]['line'] == 2 and d['diagnostics'][0]['column'] == 7 and d['diagnostics'][0]['end_column'] == 9"
say 'run --json: diagnostics as data' $?
status 1 pde run --json --frob poisson.pde && json "d['diagnostics'][0]['code'] == 'E0960'"; say 'run --json: a usage error as data' $?
status 2 pde run --json contract.pde && json "d['result']['verdicts'][0]['status'] == 'fail' and d['result']['verdicts'][0]['severity'] == 'hard' and d['result']['verdicts'][0]['ratio'] == 1.5"; say 'run --json: verdicts' $?
printf 'x = 3 [mm]\nprint(x, [1, 2] ++ [3], "a\\"b", (a: 1, b: 2), 1..3)\n' >values.pde
status 0 pde run --json values.pde && json "d['result']['printed'][0]['unit'] == 'm' and d['result']['printed'][0]['value'] == 0.003 and d['result']['printed'][1]['value'] == [1, 2, 3] and d['result']['printed'][2]['value'] == 'a\"b' and d['result']['printed'][3]['value']['b']['value'] == 2 and d['result']['printed'][4]['value']['to'] == 3"
say 'run --json: units and kinds of values' $?
status 0 pde run --json draws.pde && json "d['result']['files'] == ['m.svg']"; say 'run --json: files' $?
status 0 pde check --json poisson.pde && json "d['result']['pdes'][0]['linear'] and d['result']['pdes'][0]['symmetric'] and d['result']['pdes'][0]['steady'] and d['result']['pdes'][0]['dimension'] == 2 and len(d['result']['pdes'][0]['conditions']) == 4 and d['result']['pdes'][0]['solvers'][0]['solver'] == 'cholmod'"
say 'check --json: facts of a pde' $?

# --- check ---
status 0 pde check poisson.pde && grep -q 'linear, symmetric, steady' out && grep -q '^  left  *u == 0' out && grep -q cholmod out; say 'check: what is found out' $?
status 0 env PDE_LIBDIR="$WORK" "$PDE" check poisson.pde; say 'check needs no engine' $?
grep -q '^  *cg+hypre, from 40001 dofs: ' out && grep -q '^  *cg+multigrid, from 40001 dofs on a grid' out; say 'check: multigrid on a grid alone, which is not known yet' $?
sed 's/scalar P1/scalar P3/' poisson.pde >cubic.pde
status 0 pde check cubic.pde && grep -q cg+hypre out && ! grep -q cg+multigrid out; say 'check: no multigrid for P3' $?
status 1 pde check wrong.pde; say 'check of a wrong script' $?
cat >flow.pde <<'END'
geometry c = rectangle(x: 0..2, y: 0..1)
pde flow on c {
  unknown u : vector P2
  unknown p : scalar P1
  equation u: dt(u) + dot(u, grad(u)) == div(grad(u) - p*I)
  equation p: div(u) == 0
  on left: u == (y*(1 - y), 0)
  on top, bottom: u == 0
  on right: dot(grad(u) - p*I, n) == 0
  initially: u == 0
}
END
status 0 pde check flow.pde && grep -q 'nonlinear' out && grep -q 'first order in time' out && grep -q 'saddle point' out && grep -q '^  right .*dot(grad(u) - p\*I, n) == 0' out; say 'check: a nonlinear saddle point' $?

status 0 pde run "$SRCDIR/tests/lang/locking-on-quads.pde" && grep -q 'unknown u : vector Q2' err; say 'the advice against locking names Q2 on quadrilaterals' $?

# --- fmt ---
printf 'x=1   # one\nif x>0{print( x )}\n' >ugly.pde
status 1 pde fmt --check ugly.pde && grep -q ugly.pde out; say 'fmt --check' $?
chmod 640 ugly.pde
status 0 pde fmt ugly.pde && grep -q '# one' ugly.pde && [ "$(stat -c %a ugly.pde)" = 640 ] && status 0 pde fmt --check ugly.pde; say 'fmt keeps comments and modes, and is idempotent' $?
printf 'x = (1\n' >broken.pde; cp broken.pde kept.pde
status 1 pde fmt broken.pde && cmp -s broken.pde kept.pde; say 'fmt leaves a broken file alone' $?
printf 'y=2\n' | pde fmt - | grep -qx 'y = 2'; say 'fmt - is a filter' $?
[ -z "$(ls *.tmp 2>/dev/null)" ]; say 'no temporary file is left' $?

# --- test ---
cat >tested.pde <<'END'
## Below a bound.
contract bound(a: real, hi: real) {
  violation = (a - hi) + 0.05
  tolerance = 0.1
}
test "bounds" { accept bound(1, 1); accept bound(1.049, 1); reject bound(1.051, 1) }
test "far" { reject bound(5, 1) }
END
status 0 pde test tested.pde && [ "$(tail -n 1 out)" = '2 passed, 0 failed' ]; say 'test' $?
status 0 pde test tested.pde --filter far && [ "$(tail -n 1 out)" = '1 passed, 0 failed' ]; say 'test --filter' $?
status 2 pde test tested.pde --filter nothing && grep -q 'error\[E0565\]: no test has `nothing`' err && [ "$(tail -n 1 out)" = '0 passed, 0 failed' ]; say 'test --filter that no test fits ends with 2' $?
status 2 pde test tested.pde --filter nothing --json && json "not d['ok'] and d['diagnostics'][0]['code'] == 'E0565'"; say 'and says so as data' $?
status 0 pde test --mutate tested.pde && grep -q '^4 mutants noticed, 0 missed$' out; say 'test --mutate: sharp witnesses notice every mutant' $?
sed -i '/^test "bounds"/d' tested.pde
status 2 pde test --mutate tested.pde && grep -q '^missed: tested.pde:3: bound: .*half' out && grep -q '^0 mutants noticed, 4 missed$' out; say 'test --mutate: dull ones miss them' $?
printf 'test "t" { assert 1 == 2 }\n' >bad.pde
status 2 pde test tested.pde bad.pde && [ "$(tail -n 1 out)" = '1 passed, 1 failed' ]; say 'test: a failed test ends with 2' $?

status 1 pde kernel poisson.pde poisson --ir --asm && grep -q 'one form at a time, `--ir` or `--asm`' err; say 'kernel: one form at a time' $?

# --- doc: every row of every list has a page ---
for list in builtins geometries elements kinds codes solvers schemes keywords stdlib; do
  status 0 pde doc $list || { say "doc $list" 1; continue; }
  lacking=
  for name in $(sed -n 's/^  \([A-Za-z0-9_+-][A-Za-z0-9_+-]*\) .*/\1/p' out); do "$PDE" doc "$name" >page 2>&1 && [ -s page ] || lacking="$lacking $name"; done
  [ -z "$lacking" ]; say "doc: every name of $list${lacking:+, but not$lacking}" $?
done
status 0 pde doc E0203 && grep -q 'Causes it' out && grep -q 'Mends it' out; say 'doc of a diagnostic shows both scripts' $?
status 0 pde doc contracts/solutions && grep -q '^contract positivity' out; say 'doc of a file of the standard library' $?
status 0 pde doc tested.pde && grep -q 'Below a bound' out; say 'doc of a script' $?
status 1 pde doc slove && grep -q '`solve`' err; say 'doc of a misspelt name' $?

# --- kernel, plot, version, doctor, help ---
status 0 pde kernel poisson.pde poisson && grep -q 'integral' out; say 'kernel: the weak form' $?
status 0 pde kernel poisson.pde poisson --latex && grep -q 'nabla' out; say 'kernel --latex' $?
grep -q 'u &= .*text{on }' out; say 'kernel --latex has the prescribed values' $?
[ -z "$python" ] || { status 0 pde kernel poisson.pde poisson --mathml && "$python" - out <<'END'; say 'kernel --mathml is one well-formed MathML block' $?; }
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
inner = [e.tag.split('}')[1] for e in root.iter()]
sys.exit(not (root.tag == '{http://www.w3.org/1998/Math/MathML}math' and inner.count('math') == 1 and 'mtable' in inner))
END
status 0 pde kernel poisson.pde poisson --ir && grep -q 'quadrature degree' out; say 'kernel --ir' $?
[ "${WITH_LLVM:-1}" = 0 ] || { status 0 pde kernel poisson.pde poisson --llvm && grep -q 'define' out; say 'kernel --llvm' $?; }
status 1 pde kernel poisson.pde poison && grep -q 'did you mean `poisson`' err; say 'kernel of a misspelt pde' $?
echo 'save(sol, "sol.h5")' >>poisson.pde
status 0 pde run poisson.pde && status 0 pde plot sol.h5 -o u.png && [ "$(head -c 4 u.png | tail -c 3)" = PNG ]; say 'plot draws a stored result' $?
status 0 pde plot sol.h5 'sqrt(u)' -o u.svg && grep -q '<svg' u.svg; say 'plot draws an expression' $?
status 1 pde plot poisson.pde -o u.png; say 'plot of something else' $?
status 0 pde version && grep -q '^pde [0-9]' out && grep -qi petsc out; say 'version' $?
status 0 pde --version; say '--version' $?
status 0 pde doctor && grep -q '^ok  *engine' out && grep -q '^ok  *solve' out; say 'doctor finds engine and solve' $?
status 7 env PDE_LIBDIR="$WORK" "$PDE" doctor && grep -q '^LACKS  *engine' out && grep -q 'mend:' out; say 'doctor: without an engine 7 and what mends it' $?
status 0 pde help && for c in run check fmt test doc kernel plot version doctor mcp; do grep -q "^  $c " out || { echo "# no $c"; false; break; }; done; say 'help lists the commands' $?
status 0 pde run --help && grep -q 'usage: pde run' out; say 'run --help' $?
status 0 pde help --man && cmp -s out "$SRCDIR/docs/pde.1"; say 'docs/pde.1 is what the table of commands gives' $?

# --- colour, interrupts, ranks ---
if command -v script >/dev/null; then
  terminal() { env -u NO_COLOR TERM=xterm $2 script -qec "$PDE $1" /dev/null </dev/null 2>&1; }
  terminal 'run wrong.pde' '' | grep -q $'\033\\['; say 'colour on a terminal' $?
  terminal 'run wrong.pde' NO_COLOR=1 | grep -q $'\033\\[' && false || true; [ "$(terminal 'run wrong.pde' NO_COLOR=1 | grep -c $'\033\\[')" = 0 ]; say 'no colour with NO_COLOR' $?
else
  echo 'skip colour on a terminal: there is no script(1)'
fi
printf 'i = 0\nwhile i < 1 { i = i*1 }\n' >endless.pde
"$PDE" run endless.pde >/dev/null 2>err & child=$!
sleep 1; kill -INT $child; ( sleep 20; kill -KILL $child 2>/dev/null ) & watch=$!
wait $child; [ $? = 130 ]; say 'an interrupt ends a run with 130' $?
kill $watch 2>/dev/null
if command -v "${MPIEXEC:-mpiexec}" >/dev/null; then
  pde run poisson.pde >one 2>/dev/null
  $TIMEOUT "${MPIEXEC:-mpiexec}" -n 2 "$PDE" run poisson.pde >two 2>err
  [ "$(wc -l <two)" = 1 ] && awk 'NR == FNR {a = $2; next} {d = a - $2; exit !(d < 1e-8 && d > -1e-8)}' one two; say 'mpiexec -n 2: the first rank prints, the number is the same' $?
  $TIMEOUT "${MPIEXEC:-mpiexec}" -n 2 "$PDE" run wrong.pde >two 2>err; [ "$(grep -c 'error\[E0101\]' err)" = 1 ]; say 'mpiexec -n 2: a diagnostic comes once' $?
fi
