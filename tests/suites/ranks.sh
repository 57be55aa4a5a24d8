# One rank or two, interpreter or compiled kernels: the same numbers. Every script of tests/ranks prints "NAME = value" lines:
# with "~" for what was solved (10 times the solver's tolerance of 1e-10 apart), with "=" for norms, integrals and fluxes of
# given fields (1e-12 apart). Interpreter and compiled kernels agree to 1e-12 in both.
set -u
compare() {   # compare WHAT TOLERANCE_OF_SOLVED FILE FILE
  awk -v what="$1" -v solved="$2" '
    function near(a, b, tol,   s) { s = (a < 0 ? -a : a); if ((b < 0 ? -b : b) > s) s = (b < 0 ? -b : b); d = a - b; if (d < 0) d = -d
      return a == a && b == b && d <= tol*s + tol*1e-3 }
    FNR == NR { if ($NF + 0 == $NF) { value[FNR] = $NF; name[FNR] = $0; n = FNR } next }
    { if ($(NF - 1) != "=" && $(NF - 1) != "~") next
      tol = $(NF - 1) == "=" ? 1e-12 : solved; title = $0; sub(/ [=~] [^ ]*$/, "", title)
      if (!(FNR in value) || !near(value[FNR], $NF, tol)) print "not ok " what ": " title ": " value[FNR] " and " $NF
      else print "ok " what ": " title
      seen++ }
    END { if (seen < n || !n) print "not ok " what ": " n " numbers, then " seen + 0 }' "$3" "$4"
}
several=1
${MPIEXEC:-mpiexec} -n "${RANKS:-2}" true >/dev/null 2>&1 || several=
for script in "$SRCDIR"/tests/ranks/*.pde; do
  name=$(basename "$script" .pde)
  PDE_JIT=interp $TIMEOUT "$PDE" run --quiet "$script" >one.txt 2>one.err || { echo "not ok $name: $(head -n 1 one.err)"; continue; }
  if [ "${WITH_LLVM:-1}" = 1 ]; then
    PDE_JIT=llvm $TIMEOUT "$PDE" run --quiet "$script" >llvm.txt 2>llvm.err || echo "not ok $name, compiled: $(head -n 1 llvm.err)"
    compare "$name, compiled kernels" 1e-11 one.txt llvm.txt
  fi
  [ -n "$several" ] || { echo "skip $name: no mpiexec"; continue; }
  $TIMEOUT "${MPIEXEC:-mpiexec}" -n "${RANKS:-2}" "$PDE" run --quiet "$script" >two.txt 2>two.err || echo "not ok $name, two ranks: $(head -n 1 two.err)"
  compare "$name, two ranks" 1e-9 one.txt two.txt
done
