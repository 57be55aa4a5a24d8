# The interactive session: from a pipe, and on a terminal (through script(1)).
set -u
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1"; fi; }
session() { $TIMEOUT "$PDE" >out 2>err; }

# --- from a pipe ---
printf '1 + 2\nk = 3\nk*2;\nans + 1\n' | session; [ "$(cat out)" = "$(printf '3\n7')" ] && [ ! -s err ]; say 'values are printed, ; silences, ans is the last, no prompt is echoed' $?
printf 'x = (1 +\n  2)\nif x > 2 {\n  print("big")\n}\nf = [1,\n2]\nf\n' | session; [ "$(cat out)" = "$(printf 'big\n[1, 2]')" ]; say 'an input goes on until it is complete' $?
printf 'foo\n1 +* 2\n2 + 2\n' | session; s=$?; [ "$(cat out)" = 4 ] && grep -q E0101 err && [ $s = 1 ]; say 'errors keep the session' $?
printf 'x = (1 + 2\n' | session; grep -q E0010 err; say 'an input that never ends says so' $?
printf 'pde> a = 5\npde> a\n5\n...> a + 1\n' | session; [ "$(cat out)" = "$(printf '5\n5\n6')" ]; say 'pasted prompts are stripped' $?
printf 'import "contracts/solutions"\npositivity\n' | session; grep -q 'positivity' out && [ ! -s err ]; say 'import works' $?
printf 'fn f(a) {\n  return a + b\n}\nb = 1\nf(1)\nb = 5\nf(1)\n' | session; [ "$(cat out)" = "$(printf '2\n6')" ]; say 'functions see later definitions' $?
printf 'x = 3\nx = "text"\nx\n' | session; [ "$(cat out)" = text ]; say 'a name may change its type' $?
printf ':quit\n1 + 1\n' | session; [ ! -s out ]; say ':quit leaves' $?

cat >problem.txt <<'END'
k = 2
geometry s = rectangle(x: 0..1, y: 0..1)
pde heat(c = 1) on s {
  unknown T : scalar P1
  -div(k*grad(T)) == c
  on all: T == 0
}
m = mesh(s, cells: [8, 8])
sol = solve(heat, m)
END
(cat problem.txt; printf 'k = 4\nmax(sol.T)\nn = max(sol.T)\n:info\n') | session
grep -q 'made before `k` was redefined: heat, sol' err && grep -q '`sol` was made before `k`' err && grep -q '^  sol .*stale' out && grep -q '^  n .*stale' out && ! grep -q '^  m .*stale' out; say 'a redefinition marks what was made before as stale, no more' $?
(cat problem.txt; printf 'k = 4\npde heat on s {\n unknown T : scalar P1\n -div(k*grad(T)) == 1\n on all: T == 0\n}\nsol = solve(heat, m)\n:info\n') | session
! grep -q '^  sol .*stale' out; say 'what is made again is no longer stale' $?
(cat problem.txt; printf ':weak heat\n:latex heat\n:type sol.T\n:type max(sol.T)\n:info heat\n:info sol\n:kernel heat ir\n') | session
grep -q '∫_Ω' out && grep -q 'nabla' out && grep -q '^field, scalar' out && grep -q '^number' out && grep -q 'linear, symmetric, steady' out && grep -q 'residual ' out && grep -q 'quadrature degree' out && [ ! -s err ]; say ':weak :latex :type :info :kernel' $?
(cat problem.txt; printf 'plot(sol.T)\n') | session; [ "$(wc -l <out)" -gt 10 ] && grep -q '┤\|+\||' out; say 'a plot without a path is drawn in the terminal' $?
(cat problem.txt; printf ':time solve(heat, m);\n') | session; grep -q '^[0-9.]* s$' out && grep -q '^in all' out; say ':time with the stages of a solve' $?
printf 'a = 1\nbad bad\nb = a + 1\n:save kept.pde\n' | session; [ "$(cat kept.pde)" = "$(printf 'a = 1\nb = a + 1')" ]; say ':save writes what ran' $?
printf ':load kept.pde\na + b\n' | session; [ "$(cat out)" = 3 ]; say ':load runs a script in the session' $?
printf ':doc solve\n:help\n:doc E0203\n?disk\n' | session; grep -q '^solve(' out && grep -q ':latex' out && grep -q 'Mends it' out && grep -q '^Boundaries: rim' out; say ':doc :help ?' $?
printf '## Twice.\nfn f(a) = 2*a\n:doc f\n' | session; grep -q 'Twice' out; say ':doc of an own function' $?
printf ':set time on\n:show time\n:set jit interp\n:show\n' | session; grep -q '^  time *on' out && grep -q '^  jit *interp' out; say ':set :show' $?
printf ':t 1\n:zzz\n:set nothing on\n:doc nothere\n1 + 1\n' | session; grep -q ':time, :type' err && [ "$(grep -c E0960 err)" = 4 ] && [ "$(cat out)" = 2 ]; say 'prefixes that are not unique, unknown commands' $?
printf ':do solve\n' | session; grep -q '^solve(' out; say 'a unique prefix is enough' $?
printf 'x = 3 [mm]\nx\n' | session; grep -q '0.003 \[m\]' out; say 'units' $?
seq 1 400 | sed 's/.*/v& = &/' | session; [ $? = 0 ] && [ ! -s err ]; say 'a long session' $?

# --- on a terminal ---
if ! command -v script >/dev/null; then
  echo 'skip on a terminal: there is no script(1)'
  exit 0
fi
# keys TEXT...: each is typed after a pause; \r Enter, \t TAB, \003 Ctrl-C, \004 Ctrl-D.
keys() {
  { sleep 1.5; for k in "$@"; do printf '%b' "$k"; sleep 0.7; done; sleep 0.5; } | TERM=dumb $TIMEOUT script -qec "$PDE" /dev/null >typed 2>&1
}
export XDG_STATE_HOME=$WORK/state
keys '1+1\r' 'junk(\003' '20+3\r' 'pde p on\003' '4*11\r' '\004'
grep -q '^23' typed && grep -q '^44' typed && ! grep -q 'error' typed; say 'Ctrl-C clears the line and an input that is not complete' $?
if [ "${WITH_READLINE:-1}" = 1 ]; then
  grep -qx '20+3' state/pde/history; say 'the history is kept' $?
  keys 'geometry s = rectan\t(x: 0..1, y: 0..1)\r' 'pde p on s {\r' 'unknown u : scalar P1\r' '-lap(u) == 1\r' 'on bott\t: u == 0\r' 'on oth\t: u == 1\r' '}\r' 'sol = solve(p, mesh(s, cells: [2, 2]))\r' 'sol.dof\t\r' '\004'
  grep -q '^9' typed && ! grep -q 'error' typed; say 'TAB completes functions, boundaries, members' $?
  keys '1;\r' ':ver\003' ':inf\t\r' 'disk(cen\t(0, 0), rad\t1)\r' '\004'
  grep -q 'ans ' typed && grep -q 'geometry, 2D: rim' typed; say 'TAB completes commands and labels' $?
fi
keys 'i = 0\r' 'while i < 1 { i = i*1 }\r' '\003' '3*5\r' '\004'
grep -q '^15' typed; say 'Ctrl-C stops what runs and keeps the session' $?
