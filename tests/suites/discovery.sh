# The hypothesis evaluation interface: workspaces, what is sealed, charges, crashes, two processes, and an agent that tries everything.
set -u
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1"; fi; }
status() { "${@:2}" >out 2>err; local got=$?; [ $got = "$1" ] || { echo "# status $got, not $1: ${*:2}"; sed 's/^/# /' err | head -5; sed 's/^/# /' out | head -3; return 1; }; }
pde() { $TIMEOUT "$PDE" "$@"; }
has() { grep -q -- "$1" out || { echo "# no $1 in:"; sed 's/^/# /' out | cut -c1-600 | head -5; return 1; }; }
told() { grep -q -- "$1" err || { echo "# no $1 in:"; sed 's/^/# /' err | head -5; return 1; }; }
value() { sed -n "s/.*\"$1\":\([^,}]*\).*/\1/p" "${2:-out}" | head -n 1; }      # of the first such key
same() { cmp -s "$1" "$2" || { echo "# $1 and $2 differ:"; diff "$1" "$2" | cut -c1-300 | head -4 | sed 's/^/# /'; return 1; }; }
no_meta() { sed 's/"meta":.*//'; }

# Two excitations of u_t = 0.02 lap u, exact, with noise; tail: another noise from three quarters of the time on.
cat >data.awk <<'END_AWK'
function rnd() { seed = (16807*seed) % 2147483647; return seed/2147483647 }
function gauss() { return sqrt(-2*log(rnd()))*cos(6.283185307179586*rnd()) }
BEGIN {
  for (m = 0; m < 6; m++) {
    k = 6.283185307179586*(0.4 + 1.3*rnd()); a = 6.283185307179586*rnd()
    kx[m] = k*cos(a); ky[m] = k*sin(a); p[m] = 6.283185307179586*rnd(); c[m] = gauss()
  }
  seed += 1000
  print "t,x,y,h"
  for (q = 0; q < nt; q++) {
    t = q/(nt - 1)
    if (q == int(0.75*nt)) seed += tail
    for (j = 0; j < n; j++) for (i = 0; i < n; i++) {
      x = i/(n - 1); y = j/(n - 1); u = 0
      for (m = 0; m < 6; m++) u += c[m]*exp(-0.02*(kx[m]*kx[m] + ky[m]*ky[m])*t)*cos(kx[m]*x + ky[m]*y + p[m])
      printf "%.17g,%.17g,%.17g,%.9g\n", t, x, y, u + 0.02*gauss()
    }
  }
}
END_AWK
data() { awk -v seed="$1" -v tail="$2" -v n=24 -v nt=40 -f data.awk; }
declare_gw() { printf 'discovery gw {\n  state h(x, y, t)\n  trajectories: "%s", "%s"\n  language { order: 2; functions: [tanh, sin, exp]; fields: 5; nodes: 40 }\n  budget: %s\n}\n' "$1" "$2" "$3"; }
mkdir -p one two hyp
data 11 0 >one/A.csv; data 29 0 >one/B.csv
data 11 7 >two/A.csv; data 29 5 >two/B.csv
declare_gw A.csv B.csv 6 >one/gw.pde; cp one/gw.pde two/gw.pde
h() { printf 'hypothesis %s for gw {\n  unknown field %s\n  dt(h) == %s\n}\n' "$1" "$2" "$3" >"hyp/$1.pde"; }
h lap 'C(x, y)' 'C*lap(h)'
h lap2 'D(x, y)' '2*D*dx(dx(h)) + dy(dy(h))*2*D'
h div 'C(x, y)' 'dx(C*dx(h)) + dy(C*dy(h))'
h more 'C(x, y), R(x, y)' 'C*lap(h) + R*h'
h wind 'V(x, y), W(x, y)' 'V*dx(h) + W*dy(h)'
h split 'C(x, y), D(x, y)' 'C*dx(dx(h)) + D*dy(dy(h))'
h line 'C(x)' 'C*lap(h)'
printf 'hypothesis zero for gw {\n  dt(h) == 0*lap(h)\n}\n' >hyp/zero.pde
printf 'hypothesis wave for gw {\n  unknown field C(x, y)\n  dtt(h) == C*lap(h)\n}\n' >hyp/wave.pde
printf '  unknown field C(x, y)\n  dt(h) == C*lap(h)\n' >hyp/body.pde
printf 'hypothesis broken for gw {\n' >hyp/broken.pde

# --- init ---
export XDG_STATE_HOME=$PWD/state
status 0 pde init one/gw.pde --run one/run && has 'SHA-256' && [ ! -s err ]; say 'init: makes a workspace and prints the commitment' $?
sum=$(grep -o '[0-9a-f]\{64\}' out | head -n 1)
manifest=state/pde/sealed/$sum.json
[ -f "$manifest" ] && [ "$(stat -c %a "$manifest")" = 600 ] && grep -q "$PWD/one/A.csv" "$manifest"; say 'init: the manifest is outside, for its owner alone' $?
[ -f one/run/run.db ] && [ -f one/run/TASK.md ] && [ -f one/run/LANGUAGE.md ] && [ -f one/run/data/A.npz ] && [ -f one/run/notes/notes.md ]; say 'init: what a workspace holds' $?
[ "$(stat -c %s one/run/data/A.npz)" -lt $((30*24*24*8 + 5000)) ]; say 'init: of the data three quarters alone' $?
grep -q "$sum" one/run/TASK.md && ! grep -rq 'A.csv' one/run/data one/run/notes && ! grep -rq "$(value salt "$manifest" | tr -d '"')" one/run; say 'init: the salt is not in the workspace' $?
status 0 pde init two/gw.pde --run two/run --json && has '"discovery":"gw"' && has '"snapshots":\[10,10,10\]' && has '"commitment":"[0-9a-f]\{64\}"'; say 'init --json' $?
status 1 pde init one/gw.pde --run one/run && told 'E3200\|E4041'; say 'init: a workspace is not made twice' $?
printf 'x = 1\n' >none.pde; status 1 pde init none.pde --run none && told E4050; say 'init: a script without a discovery' $?
[ ! -e none ] && [ -z "$(ls -d one/run.* 2>/dev/null)" ] && [ "$(ls state/pde/sealed | wc -l)" = 2 ]; say 'init: what fails leaves nothing' $?

# --- wrong data: each file breaks one thing ---
mkdir -p wrong; cp one/B.csv wrong/B.csv
wrong() {   # NAME CODE AWK-PROGRAM
  awk -F, -v OFS=, "$3" one/A.csv >wrong/A.csv
  declare_gw A.csv B.csv 6 >wrong/gw.pde
  status 1 pde init wrong/gw.pde --run wrong/run && told "$2" && [ ! -e wrong/run ]; say "init: $1" $?
}
wrong 'a column is missing' E4030 '{ print $1, $2, $3 }'
wrong 'the state has another name' E4030 'NR == 1 { sub("h", "u") } 1'
wrong 'a place twice' E4031 '1; NR == 50 { print }'
wrong 'an irregular grid' E4033 'NR > 1 && $2 > 0.5 && $2 < 0.53 { $2 = 0.51 } 1'
wrong 'scattered points' E4033 'NR == 1 { print } NR > 1 && NR < 3000 { $2 = $2 + NR/1e6; $3 = $3 + NR/1e6; print }'
wrong 'another grid' E4035 'NR == 1 || $2 < 0.97'
wrong 'other times' E4035 'NR > 1 { $1 = $1*1.1 } 1'
wrong 'an unknown unit' E4034 'NR == 1 { sub("h", "h [zork]") } 1'
wrong 'units that contradict' E4034 'NR == 1 { sub("h", "h [m]") } 1'
wrong 'infinite values' E4037 'NR == 100 { $4 = "inf" } 1'
wrong 'no values' E4037 'NR > 1 { $4 = "" } 1'
wrong 'no numbers' E3151 'NR == 9 { $4 = "abc" } 1'
wrong 'no rows' E3151 'NR == 1'
awk -F, 'NR == 1 || $1 < 0.3' one/A.csv >wrong/A.csv; cp wrong/A.csv wrong/B.csv
status 1 pde init wrong/gw.pde --run wrong/run && told E4036; say 'init: too few snapshots' $?
status 7 env -u HOME -u XDG_STATE_HOME "$PDE" init one/gw.pde --run nowhere; grep -q 'E4051' err && [ ! -e nowhere ]; say 'init: no place for what is sealed' $?
declare_gw A.csv A.csv 6 | sed 's/, "A.csv"//' >one/single.pde; status 1 pde init one/single.pde --run single && told 'E4038'; say 'init: one trajectory' $?
declare_gw nofile.npz B.csv 6 >one/lost.pde; status 1 pde init one/lost.pde --run lost && told 'E3151'; say 'init: a file that is not there' $?

# --- validate ---
cd one/run || exit 1
H=../../hyp
status 0 pde status && has '0 of 6 used'; say 'status: of the directory where it is called' $?
status 1 pde status --run .. && told E4040; say 'status: a directory that is no workspace' $?
status 0 pde validate $H/lap.pde --json && has '"valid":true' && has '"id":"c_[0-9a-f]\{12\}"' && has '"next":\["pde validate FILE"'; say 'validate --json' $?
id=$(value id | tr -d '"')
for f in lap2 body; do status 0 pde validate $H/$f.pde --json && [ "$(value id | tr -d '"')" = "$id" ]; say "validate: $f has the same id" $?; done
status 1 pde validate $H/wave.pde --json && has '"valid":false' && has '"code":"E4003"' && has '"ok":false'; say 'validate: what is no evolution law' $?
status 1 pde validate $H/broken.pde && told 'E0010'; say 'validate: what does not parse' $?
status 0 pde status --json && has '"used":0' && has '"invalid":0'; say 'validate: charges and records nothing' $?

# --- score ---
status 0 pde score $H/lap.pde --json && has '"charged":1' && has '"cached":false' && has '"used":1,"limit":6' && has '"rank":1'; say 'score --json' $?
no_meta <out >first
awk -v s="$(value score)" 'BEGIN { exit !(s > 0 && s < 0.2) }'; say 'score: the true law' $?
status 0 pde score $H/lap.pde --json && has '"cached":true' && has '"charged":0' && [ "$(value score)" = "$(value score first)" ] && has '"used":1'; say 'score: again, for nothing' $?
status 0 pde score $H/lap2.pde --json && has '"cached":true' && has "\"id\":\"$id\""; say 'score: an equivalent text, for nothing' $?
status 1 pde score $H/wave.pde --json && has '"code":"E4003"' && has '"charged":0' && has '"used":1' && has '"invalid":1'; say 'score: invalid, recorded, for nothing' $?
status 0 pde score $H/zero.pde --json && [ "$(value score)" = 1 ] && has '"rank":2'; say 'score: the null law scores 1' $?
status 0 pde score $H/body.pde && has "$id" && has cached && has '2 of 6'; say 'score: for people' $?

# --- batches ---
status 0 pde score-batch $H/div.pde $H/lap.pde $H/more.pde $H/div.pde --json && has '"charged":2' && has '"used":4'; say 'score-batch: charged are the new ones' $?
[ "$(grep -o '"hypothesis":"[a-z]*"' out | tr '\n' ' ')" = '"hypothesis":"div" "hypothesis":"lap" "hypothesis":"more" "hypothesis":"div" ' ]; say 'score-batch: in order' $?
[ "$(grep -o '"charged":[01],"counters"' out | tr '\n' ' ')" = '"charged":1,"counters" "charged":0,"counters" "charged":1,"counters" "charged":0,"counters" ' ]; say 'score-batch: twins are charged once' $?
batch=$(grep -o '"error_ab":[^,]*,"error_ba":[^,]*,"score":[^,]*' out | head -n 1)
status 1 pde score-batch $(for i in $(seq 33); do echo $H/lap.pde; done) --json && has E4045 && has '"used":4'; say 'score-batch: 33 are too many, for nothing' $?
status 6 pde score-batch $H/wind.pde $H/split.pde $H/line.pde --json && has '"used":6,"limit":6' && has '"code":"E4042"'; say 'score-batch: the budget ends in its midst' $?
status 6 pde score $H/line.pde && told E4042; say 'score: the budget is used up' $?
status 0 pde score $H/wind.pde --json && has '"cached":true'; say 'score: the archive still answers' $?

# --- history, evidence ---
status 0 pde history --json && [ "$(grep -o '"evaluation":[0-9][0-9]*' out | tr '\n' ' ')" = '"evaluation":1 "evaluation":2 "evaluation":3 "evaluation":4 "evaluation":5 "evaluation":6 ' ]; say 'history: in order of time' $?
status 0 pde history --ranked --json && [ "$(grep -o '"rank":[0-9][0-9]*' out | tr '\n' ' ')" = '"rank":1 "rank":2 "rank":3 "rank":4 "rank":5 "rank":6 ' ]; say 'history --ranked' $?
status 0 pde history --limit 2 --offset 1 --json && [ "$(grep -o '"evaluation":' out | wc -l)" = 2 ] && has '"total":7'; say 'history: in parts' $?
status 0 pde history && has E4003 && has 'rank'; say 'history: for people' $?
status 0 pde evidence $id --json && has '"identifiable":true' && has '"noise_ceiling":' && [ -s "$(value file | tr -d '"')" ]; say 'evidence --json, with a file of each field' $?
no_meta <out >told
status 0 pde evidence $id --json && no_meta <out | cmp -s - told; say 'evidence: the same again' $?
status 0 pde evidence ${id:0:6} && has 'identifiable'; say 'evidence: for people, by the beginning of the id' $?
for x in c_000000000000 ../../state '' '*' "c_' OR 1=1 --"; do status 1 pde evidence "$x" && told 'E4049' || { say "evidence: $x is no candidate" 1; false; }; done; say 'evidence: what is no candidate' $?
cd ../..

# --- an agent that tries everything: two runs that differ in the sealed quarter alone answer alike ---
try() {   # in a workspace, before the submission
  local h=../../hyp f x
  pde status; pde status --json
  for f in $h/*.pde; do pde validate "$f" --json; done
  for f in $h/wave.pde $h/broken.pde $h/lap.pde $h/lap2.pde $h/zero.pde; do pde score "$f" --json; done
  pde score-batch $h/*.pde --json
  pde score-batch $h/more.pde $h/wind.pde $h/split.pde
  pde score $h/line.pde
  pde history --json; pde history --ranked
  for x in $(pde history --json | grep -o '"id":"c_[0-9a-f]*"' | cut -d'"' -f4) c_0 ../data/A nothing; do pde evidence "$x" --json; done
  pde submit c_0; pde submit ../../A.csv; pde submit '' --json
  pde score ../A.csv; pde validate /etc/passwd; pde score nowhere.pde --json
  pde init ../gw.pde --run . ; pde view . candidates --format csv; pde view . scores --format csv; pde view . budget --format csv; pde view . nothing
  printf 'import "../gw.pde"\n' | pde validate -
  printf 'hypothesis x for gw { dt(h) == env("HOME") }\n' | pde score - --json
  cat TASK.md LANGUAGE.md notes/notes.md; cksum data/*; ls data evidence; ls evidence/*; cat evidence/*/evidence.json
}
attempt() { (cd "$1/run" && try 2>&1 | sed -e 's/"meta":.*//' -e 's/[0-9a-f]\{64\}/SHA/g' -e "s,/$1/run,/RUN,g"); }
rm -rf one/run && status 0 pde init one/gw.pde --run one/run
attempt one >one.txt; attempt two >two.txt
[ "$(wc -l <one.txt)" -gt 100 ] && grep -q '"score":' one.txt && ! grep -q E0999 one.txt; say 'an agent gets its answers' $?
same one.txt two.txt; say 'sealed data change no answer' $?

# --- submit ---
cd one/run
best=$(pde status --json | grep -o '"best":{"id":"[^"]*"' | cut -d'"' -f6)
status 1 pde submit x_ --json && has '"ok":false'; say 'submit: what is no candidate' $?
cp ../A.csv ../A.kept; sed -i '$s/,[^,]*$/,0.5/' ../A.csv
status 1 pde submit $best && told E4044 && status 0 pde status && has "submitted           $best"; say 'submit: a changed file does not open; the run is frozen' $?
mv ../A.kept ../A.csv
status 1 pde score ../../hyp/lap.pde && told E4043; say 'score: nothing after the submission' $?
status 0 pde submit $best --reason 'lowest score' --truth ../../hyp/lap.pde --json && has '"sealed":{"score":0' && has '"opened":true'; say 'submit: again with the file as it was' $?
has '"forward":{"error":0' && has '"code":null' && has '"structure":{"relation":"[a-z_]*"'; say 'submit: the law solved forward, and beside the truth' $?
sealed=$(value salt | tr -d '"'); no_meta <out >submitted
status 0 pde submit $best --json && no_meta <out | cmp -s - submitted; say 'submit: the same report again' $?
other=$(pde history --ranked --json | grep -o '"id":"c_[0-9a-f]*"' | sed -n 2p | cut -d'"' -f4)
status 1 pde submit $other && told E4043; say 'submit: once' $?
status 0 pde history --json && status 0 pde evidence $best --json; say 'history and evidence after the submission' $?
cd ../..

# --- scripts: the same engine ---
cat >one/script.pde <<'END_PDE'
discovery gw {
  state h(x, y, t)                # another comment
  trajectories: "A.csv", "B.csv"
  language { order: 2; functions: [tanh, sin, exp]; fields: 5; nodes: 40 }
  budget: 6
}
hypothesis flat for gw { unknown field C(x, y); dt(h) == C*lap(h) }
hypothesis wave for gw { dtt(h) == lap(h) }
hypothesis other for gw { unknown field D(x, y); dt(h) == D*h }
for e in [score(flat), score(wave), score(flat)] { print(if e.valid then f"{e.score} {e.cached}" else e.code) }
print(len(evidence(flat).fields), evidence(flat).fields[0].identifiable)
print(status(gw).counters.unique_evals.used, len(history(gw)), validate(other).valid)
report = submit(flat, reason: "a test")
print(report.sealed.score < 1)
END_PDE
sed '/wave/d' one/script.pde >one/checked.pde
status 0 pde check one/checked.pde && status 1 pde check one/script.pde && told E4003; say 'check: a script of a discovery, and a hypothesis that is none' $?
status 0 pde run one/script.pde --run scripted && grep -q 'SHA-256 [0-9a-f]\{64\}' err && has '^1 2 true$' && has '^1 true$' && has '^E4003$'; say 'run: scores, evidence, submission' $?
[ "$(sed -n 1p out)" != "$(sed -n 3p out)" ] && [ "$(sed -n 1p out | cut -d' ' -f1)" = "$(sed -n 3p out | cut -d' ' -f1)" ]; say 'run: the second score is cached' $?
cp out ran; status 0 pde run one/script.pde --run scripted && [ "$(tail -n 1 out)" = "$(tail -n 1 ran)" ]; say 'run: again, from the archive' $?
sed 's/score(flat), score(wave)/score(other), score(wave)/' one/script.pde >one/after.pde
status 1 pde run one/after.pde --run scripted && told E4043; say 'run: nothing new after the submission' $?
sed 's/budget: 6/budget: 7/' one/script.pde >one/changed.pde
status 1 pde run one/changed.pde --run scripted && told E4041; say 'run: a changed declaration needs another workspace' $?
sed 's/budget: 6/budget: 1/; s/score(wave)/score(other)/' one/script.pde >one/poor.pde
status 6 pde run one/poor.pde --run poor && told E4042; say 'run: the budget ends the script with 6' $?
status 0 pde status --run scripted --json && has '"submitted":"c_'; say 'the commands work in the workspace of a script' $?
printf 'discovery d { state u(x, y, t); trajectories: "A.csv", "B.csv" }\nhypothesis h for d { dt(u) == lap(u) }\nprint(score(3))\n' >one/bad.pde
status 1 pde check one/bad.pde && told E0505; say 'check: what is no hypothesis' $?
for bad in 'discovery d { }' 'discovery d { state u; trajectories: "a" }' 'discovery d { state u(x, y, t) }' 'discovery d { state u(x, y, t); trajectories: 3 }' 'discovery d { state u(t, x); trajectories: "a" }' \
           'discovery d { state u(x, t); trajectories: "a", "b"; budget: -1 }' 'discovery d { state u(x, t); trajectories: "a", "b"; language { order: 9 } }' \
           'discovery d { state u(x, t); trajectories: "a", "b"; language { functions: [log] } }' 'discovery d { state u(x, t); trajectories: "a", "b"; zork: 1 }' 'discovery 3 { }' 'discovery d' \
           'hypothesis h { }' 'hypothesis h for 3 { }' 'x = 1; hypothesis h for x { }' 'hypothesis h for nobody { dt(u) == u }'; do
  printf '%s\n' "$bad" >one/bad.pde
  status 1 pde check one/bad.pde && grep -q 'error\[E0' err || { say "check: $bad" 1; false; }
done; say 'check: declarations that are written otherwise' $?
for bad in 'unknown field C(z); dt(u) == C*u' 'unknown C; dt(u) == u' 'dt(u) == u; dt(u) == lap(u)' 'unknown field 3; dt(u) == u' 'dt(u) == v' 'x = 3' 'on all: u == 0'; do
  printf 'discovery d { state u(x, y, t); trajectories: "A.csv", "B.csv" }\nhypothesis h for d { %s }\n' "$bad" >one/bad.pde
  status 1 pde check one/bad.pde || { say "check: $bad" 1; false; }
done; say 'check: hypotheses that are written otherwise' $?

# --- kill -9 in mid-score: nothing is lost, nothing is charged twice ---
rm -rf killed && status 0 pde init one/gw.pde --run killed
for delay in 0.02 0.05 0.1 0.15 0.2 0.3 0.5; do
  "$PDE" score hyp/div.pde --run killed >/dev/null 2>&1 & victim=$!
  sleep $delay; kill -9 $victim 2>/dev/null; wait $victim 2>/dev/null
  status 0 pde status --run killed --json && [ "$(value used)" -le 1 ] || { say "killed after $delay s" 1; break; }
done
status 0 pde score hyp/div.pde --run killed --json && has '"used":1' && [ "$(grep -o '"error_ab":[^,]*,"error_ba":[^,]*,"score":[^,]*' out)" = "$batch" ]; say 'killed in mid-score: resumed, charged once, the same score to the last digit' $?

# --- two processes on one run ---
rm -rf both && status 0 pde init one/gw.pde --run both
"$PDE" score-batch hyp/lap.pde hyp/div.pde hyp/more.pde hyp/wind.pde --run both --json >left 2>left.err & left=$!
"$PDE" score-batch hyp/wind.pde hyp/split.pde hyp/div.pde hyp/zero.pde --run both --json >right 2>right.err & right=$!
wait $left; a=$?; wait $right; b=$?
[ $a = 0 ] && [ $b = 0 ]; say 'two processes: both end well' $?
status 0 pde status --run both --json && [ "$(value used)" = 6 ]; say 'two processes: six are charged, none twice' $?
pick() { grep -o "\"hypothesis\":\"$1\"[^{]*" "$2" | grep -o '"error_ab":[^,]*,"error_ba":[^,]*,"score":[^,]*'; }
[ -n "$(pick div left)" ] && [ "$(pick div left)" = "$(pick div right)" ] && [ "$(pick wind left)" = "$(pick wind right)" ] && [ "$(pick div left)" = "$batch" ]; say 'two processes: the same scores, those of one process' $?

# --- what an agent may do to its own directory is found ---
rm -rf mine && status 0 pde init one/gw.pde --run mine
printf 'x' >>mine/data/A.npz
status 1 pde score hyp/lap.pde --run mine --json && has E3205 && has '"used":0'; say 'changed data are refused, for nothing' $?

# --- other data: missing values, unequal times, one dimension, units ---
other() {   # NAME AWK-PROGRAM
  mkdir -p "$1"
  for k in A B; do awk -F, -v OFS=, "$2" one/$k.csv >"$1/$k.csv"; done
  cp one/gw.pde "$1/gw.pde"
}
other missing 'NR > 1 && $2 > 0.3 && $2 < 0.5 && $3 > 0.3 && $3 < 0.5 { $4 = "" } 1'
status 0 pde init missing/gw.pde --run missing/run && told 'W4030.*17280 values.*750 are missing' && has 'missing      750 and 750'; say 'init: missing values are told' $?
status 0 pde score hyp/lap.pde --run missing/run --json && awk -v s="$(value score)" 'BEGIN { exit !(s > 0 && s < 0.2) }'; say 'score: with a block of sensors missing' $?
other unequal 'NR == 1 || int($1*39 + 0.5) % 7 != 3'
status 0 pde init unequal/gw.pde --run unequal/run && has 'unequal steps'; say 'init: unequal times are told' $?
status 0 pde score hyp/lap.pde --run unequal/run --json && awk -v s="$(value score)" 'BEGIN { exit !(s > 0 && s < 0.2) }'; say 'score: with unequal times' $?
other units 'NR == 1 { $0 = "t [min],x [cm],y [cm],h [mm]" } 1'
status 0 pde init units/gw.pde --run units/run && status 0 pde score hyp/lap.pde --run units/run --json && awk -v s="$(value score)" 'BEGIN { exit !(s > 0 && s < 0.2) }'; say 'score: data with units' $?
cat >line.awk <<'END_AWK'
function rnd() { seed = (16807*seed) % 2147483647; return seed/2147483647 }
function gauss() { return sqrt(-2*log(rnd()))*cos(6.283185307179586*rnd()) }
BEGIN {
  for (m = 0; m < 5; m++) { k[m] = 6.28*(0.4 + 1.3*rnd()); p[m] = 6.28*rnd(); c[m] = gauss() }
  print "t,x,u"
  for (q = 0; q < 60; q++) for (i = 0; i < 80; i++) {
    u = 0; for (m = 0; m < 5; m++) u += c[m]*exp(-0.02*k[m]*k[m]*q/59)*cos(k[m]*i/79 + p[m])
    printf "%.12g,%.12g,%.9g\n", q/59, i/79, u + 0.005*gauss()
  }
}
END_AWK
mkdir -p line; awk -v seed=3 -f line.awk >line/A.csv; awk -v seed=8 -f line.awk >line/B.csv
cat >line/d.pde <<'END_PDE'
discovery d { state u(x, t); trajectories: "A.csv", "B.csv"; budget: 5 }
hypothesis h1 for d { unknown field C(x); dt(u) == C*dx(dx(u)) }
hypothesis h2 for d { unknown field C(y); dt(u) == C*u }
print(score(h1).score < 0.1, score(h2).code)
print(evidence(h1).fields[0].dims)
END_PDE
status 0 pde run line/d.pde --run line/run && has '^true E4007$' && has '^x$'; say 'one dimension' $?

# --- two scripts that make one workspace at once ---
"$PDE" run one/script.pde --run race >left 2>left.err & left=$!
"$PDE" run one/script.pde --run race >right 2>right.err & right=$!
wait $left; a=$?; wait $right; b=$?
[ $a = 0 ] && [ $b = 0 ] && [ "$(tail -n 1 left)" = "$(tail -n 1 right)" ] && status 0 pde status --run race --json && [ "$(value used)" = 1 ] && [ -z "$(ls -d race.* 2>/dev/null)" ]; say 'two scripts make one workspace at once' $?

# --- the shape of replies, number for number ---
shape() { sed -e 's/"c_[0-9a-f]\{12\}"/"ID"/g' -e 's/c_[0-9a-f]\{12\}/ID/g' -e 's/[0-9a-f]\{64\}/SHA/g' -e 's/\[[0-9][0-9.,e-]*\]/[..]/g' -e 's/:-\{0,1\}[0-9][0-9.e-]*/:N/g' -e 's/"file":"[^"]*"/"file":"PATH"/g' -e 's/,"meta":.*//' out >shape; }
reply() { shape; printf '%s\n' "$2" | cmp -s - shape; local r=$?; [ $r = 0 ] || { echo "# $(cat shape)" | cut -c1-1500; }; say "$1: the shape of its JSON" $r; }
rm -rf gold; pde init one/gw.pde --run gold >/dev/null
status 7 env PDE_LIBDIR=/nowhere "$PDE" score hyp/lap.pde --run gold && status 0 pde status --run gold --json && [ "$(value used)" = 0 ]; say 'score: without its engine, for nothing' $?
counters='{"unique_evals":{"used":N,"limit":N},"scored":N,"failed":N,"invalid":N}'
budget='"budget":{"unique_evals":{"used":N,"limit":N}}'
next='"next":["pde validate FILE --run gold","pde score FILE --run gold","pde history --ranked --run gold","pde evidence ID --run gold","pde submit ID --run gold"]'
pde score hyp/lap.pde --run gold --json >out
reply score '{"v":N,"command":"score","ok":true,"status":N,"result":{"id":"ID","hypothesis":"lap","valid":true,"code":null,"name":null,"error_ab":N,"error_ba":N,"score":N,"standard_error":N,"fields":N,"stability":N,"rank":N,"cached":false,"charged":N,"counters":'"$counters"'},"diagnostics":[],'"$budget"',"charged":N,'"$next"
id=$(value id | tr -d '"')
pde status --run gold --json >out
reply status '{"v":N,"command":"status","ok":true,"status":N,"result":{"discovery":"gw","state":"h","grid":{"nx":N,"ny":N},"snapshots":[..],"times":"uniform","missing":[..],"counters":'"$counters"',"best":{"id":"ID","score":N,"equation":"dt(h) == C*lap(h)"},"submitted":null,"commitment":"SHA"},"diagnostics":[],'"$budget,$next"
pde evidence $id --run gold --json >out
data='{"noise":N,"signal":N,"correlated":false,"modes":N,"missing":N,"side_x":"free","side_y":"free"}'
shape; sed -i 's/"canonical":"[^"]*"/"canonical":"LAW"/' shape; printf '%s\n' '{"v":N,"command":"evidence","ok":true,"status":N,"result":{"id":"ID","hypothesis":"lap","canonical":"LAW","score":N,"error_ab":N,"error_ba":N,"standard_error":N,"rollout":N,"rollout_blown":false,"noise_ceiling":N,"explained":true,"condition":N,"fields":[{"name":"C","dims":"x, y","x":[..],"y":[..],"lambda":N,"dof":N,"stability":N,"correlation":N,"uncertainty":N,"revealed":N,"identifiable":true,"file":"PATH"}],"data":['"$data,$data"']},"diagnostics":[],'"$budget,$next" | cmp -s - shape; say 'evidence: the shape of its JSON' $?
