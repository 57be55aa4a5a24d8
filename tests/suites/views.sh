# Run records from the command: what `pde run --record` writes, `pde view` in every format, what a kill leaves, two runs, damage.
set -u
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1"; fi; }
status() { "${@:2}" >out 2>err; local got=$?; [ $got = "$1" ] || { echo "# status $got, not $1: ${*:2}"; sed 's/^/# /' err; return 1; }; }
pde() { $TIMEOUT "$PDE" "$@"; }

cat >plate.pde <<'END'
param load = 1
geometry s = rectangle(x: 0..1, y: 0..1)
pde heat on s {
  unknown u : scalar P1
  dt(u) == div((1 + x)*grad(u)) + load
  on all: u == 0
  initially: u == 0
}
sol = solve(heat, mesh(s, cells: [6, 6]), time: 0..0.2, step: 0.05)
top = max(sol.u)
print("the top", top)
warming = history(max(sol.u))
t = tabulate((n: [8, 16], error: [0.04, 0.01]), title: "errors")
plot(sol.u, "u.svg")
check sol against top <= 0.01
view report of run {
  title "<b>Plate</b>"
  value top
  table t: n, error ".1e" sort n descending
  plot warming against t
  table verdicts: contract, status, ratio ".3f"
  map u of sol
}
view agent of run { hide top, verdicts }
render(report, "report.html")
render(report, "report.json")
END

status 2 pde run plate.pde -D load=2 --record rec && cp out printed && [ -s rec/run.db ] && [ -s rec/manifest.json ] && [ -s report.html ]; say 'run --record: the run is as without' $?
status 2 pde run plate.pde -D load=2 && cmp -s out printed; say 'a script that renders needs no record' $?
status 0 pde view rec && for v in summary verdicts equations solutions fields printed files inputs events report agent; do grep -q "^  $v " out || { echo "# no $v"; false; break; }; done; say 'view lists what it can show' $?
grep -q '^  histories  *5 ' out && grep -q '^  t  *2  n, error$' out; say 'view lists the tables with their columns' $?
status 0 pde view rec report && grep -q '^<b>Plate</b>$' out && grep -q '^  top = 0' out && grep -q '^  16  1.0e-02$' out && grep -q 'fail' out; say 'view of the script, in the terminal' $?
status 0 pde view rec report --format csv && grep -q '^8,0.04' out && grep -q '^t,warming' out; say 'view --format csv' $?
status 0 pde view rec report -o again.html && grep -q '&lt;b&gt;Plate' again.html && ! grep -q '<b>Plate' again.html && grep -q 'data:image/png;base64,' again.html && grep -q '<svg class="chart"' again.html; say 'view -o FILE.html is one escaped file' $?
! grep -qE '(src|href)="?(https?:|//)' again.html; say 'the report needs no network' $?
status 0 pde view rec agent && ! grep -q 'verdict\|contract' out && ! grep -q '^  top ' out; say 'what a view hides is not there' $?
status 0 pde view rec equations --format html && grep -q '<math' out; say 'equations as MathML' $?
python=$(command -v python3 || :)
if [ -n "$python" ]; then
  json() { "$python" -c "import json,sys,hashlib
d = json.load(open('$1'), parse_constant=lambda c: sys.exit('not JSON: ' + c))
sys.exit(0 if ($2) else repr(d)[:800])"; }
  json report.json "d['view'] == 'report' and d['blocks'][1]['rows'] == [[16, 0.01], [8, 0.04]] and len(d['blocks'][2]['rows']) == 5"; say 'render as JSON' $?
  status 0 pde view rec verdicts --json && json out "d['ok'] and d['result']['blocks'][0]['rows'][0][3] == 'fail'"; say 'view --json: the envelope' $?
  status 0 pde view rec --json && json out "any(t['name'] == 'solutions' and t['rows'] == 1 for t in d['result']['tables'])"; say 'view --json: the list' $?
  json rec/manifest.json "d['status'] == 2 and d['settings']['-D load'] == '2' and d['inputs'][0]['sha256'] == hashlib.sha256(open('plate.pde', 'rb').read()).hexdigest()"; say 'the manifest has settings and SHA-256 of the inputs' $?
  printf 'print(yy)\n' >wrong.pde
  status 1 pde run wrong.pde --record no --json; status 0 pde view no summary --json && json out "d['result']['blocks'][0]['values']['status']['value'] == 1"; say 'a run that fails is recorded as such' $?
fi

# --- truth, prediction and difference on one scale ---
if [ -n "$python" ]; then
  cp -r rec pair
  "$python" - <<'END'
import sqlite3
db = sqlite3.connect("pair/run.db")
for role in "truth", "prediction":
    db.execute("insert into fields select NULL, 'c1', name, ?, unit, format, sha256 from fields where subject = 'sol'", (role,))
db.execute("insert into views values (NULL, 'pair', 'view pair of run { map truth, prediction, difference of c1 }')")
db.commit()
END
  status 0 pde view pair pair && [ "$(grep -c '^c1.u, [tpd][a-z]*$' out)" = 3 ] && [ "$(grep -c ' 0.04$' out)" = 3 ] && [ "$(grep -c ' 0.06$' out)" = 3 ]; say 'fields on one scale, with their difference' $?
  status 0 pde view pair pair -o pair.html && [ "$(grep -c 'data:image/png;base64,' pair.html)" = 3 ]; say 'and as pictures' $?
fi

# --- refusals ---
status 1 pde run plate.pde --record rec && grep -q E3200 err; say 'the record of another run is not written over' $?
mkdir full; touch full/x
status 1 pde run plate.pde --record full && grep -q E3200 err && [ ! -e full/run.db ]; say 'nor is a directory that is not empty' $?
status 1 pde view full && grep -q E3201 err && status 1 pde view nowhere && grep -q E3201 err; say 'no record' $?
status 1 pde view rec reprot && grep -q 'did you mean `report`' err; say 'a misspelt view' $?
status 1 pde view rec report --format pdf && grep -q 'E0960' err && grep -q 'html' err; say 'a format that is not there' $?
status 1 pde view rec report -o report.pdf && grep -q 'E0516' err; say 'a file of a format that is not there' $?
cp -r rec cut; truncate -s 9000 cut/run.db
status 1 pde view cut summary && grep -q 'E3203' err; say 'a record that was cut off' $?
cp -r rec changed; for f in changed/artefacts/*; do echo x >>"$f"; done
status 1 pde view changed fields && grep -q 'E3205' err; say 'an artefact that was changed' $?
cp -r rec fixed; chmod -R a-w fixed
status 0 pde view fixed report; say 'a record that cannot be written to is read' $?
chmod -R u+w fixed
echo 'print(1)' >one.pde
status 0 pde run one.pde --record deep/er/still && status 0 pde view deep/er/still printed && grep -q ' 1$' out; say 'the directories above a record are made' $?

# --- a kill: what was printed is in the record ---
printf 'while 1 > 0 { print(1) }\n' >long.pde
"$PDE" run long.pde --record killed >printed 2>err &
pid=$!; sleep 1; kill -9 $pid; wait $pid 2>/dev/null
# output comes in blocks, the last of which may be cut in a line
told=$(grep -c '^[0-9]*$' printed); [ -n "$(tail -c 1 printed)" ] && told=$((told - 1))
status 0 pde view killed --json && there=$(sed 's/.*"name":"printed","rows":\([0-9]*\).*/\1/' out) && [ "$there" -gt 0 ] && [ "$there" -ge "$told" ]; say 'kill -9: what was printed is recorded' $?
status 0 pde view killed summary && grep -q 'not finished' out; say 'a run that was killed has not finished' $?

# --- interrupts, sessions ---
"$PDE" run long.pde --record stopped >/dev/null 2>&1 &
pid=$!; sleep 1; kill -INT $pid; wait $pid
status 0 pde view stopped summary && grep -q 'status = 130' out && grep -q E2090 out; say 'an interrupt is recorded' $?
printf 't = tabulate((a: [1, 2]))\nview v of run { table t; value x }\nx = 3\nprint(x)\nrender(v, "session.md")\nprint(5)\n' | pde >out 2>err; [ "$(tail -n 1 out)" = 5 ] && grep -q '^- x: 3$' session.md && [ ! -s err ]; say 'a session shows views of itself' $?

# --- three at once: one directory, one run ---
for k in 1 2 3; do "$PDE" run one.pde --record same >/dev/null 2>err$k & done; wait
[ "$(grep -l E3200 err1 err2 err3 2>/dev/null | wc -l)" = 2 ]; say 'of three runs one gets the directory' $?
