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
# Files in pieces: each rank writes its own cells, which are all of them together.
cat >pieces.pde <<'end'
geometry g = box(x: 0..1, y: 0..1, z: 0..1)
pde p on g { unknown u : scalar P2; -lap(u) == 1; on all: u == 0 }
s = solve(p, mesh(g, cells: [4, 4, 4]))
export(s, "whole.vtu")
export(s, "parts.pvtu")
end
if [ -n "$several" ]; then
  $TIMEOUT "${MPIEXEC:-mpiexec}" -n "${RANKS:-2}" "$PDE" run --quiet pieces.pde >pieces.txt 2>pieces.err || echo "not ok pieces: $(head -n 1 pieces.err)"
  cells() { grep -a -h -o 'NumberOfCells="[0-9]*"' "$@" | grep -o '[0-9]*' | awk '{ n += $1 } END { print n + 0 }'; }
  pieces=$(grep -o 'Source="[^"]*"' parts.pvtu | cut -d'"' -f2)
  # shellcheck disable=SC2086
  if [ "$(cells $pieces)" = "$(cells whole.vtu)" ] && [ "$(cells whole.vtu)" = 384 ] && [ "$(echo $pieces | wc -w)" = "${RANKS:-2}" ]; then echo "ok pieces of ${RANKS:-2} ranks"
  else echo "not ok pieces: $pieces hold $(cells $pieces) cells, the whole file $(cells whole.vtu)"; fi
fi
# Solutions on a mesh that is cut at an interface, beside one that is not: each side of the interface has points of its own.
cat >cut.pde <<'end'
geometry g { shape = rectangle(x: 0..2, y: 0..1); region a = where x < 1; region b = where x > 1 }
pde p(R = 0.5) on g {
  unknown T : scalar P1
  lap(T) == 0
  on left: T == 1
  on right: T == 0
  on others: dot(grad(T), n) == 0
  on interface(a, b): dot(grad(T), n) == -jump(T)/R
}
pde q on g { unknown w : scalar P1; lap(w) == 0; on left: w == 1; on right: w == 0; on others: dot(grad(w), n) == 0 }
m = mesh(g, cells: [4, 2])
s = solve(p, m); t = solve(q, m)
export([t, s], "both.vtu"); export(s, "cut.vtu"); export(t, "plain.vtu")
end
points() { grep -a -o 'NumberOfPoints="[0-9]*"' "$1" | tr -dc 0-9; }
for n in 1 ${several:+${RANKS:-2}}; do
  launch=; [ "$n" = 1 ] || launch="${MPIEXEC:-mpiexec} -n $n"
  # shellcheck disable=SC2086
  $TIMEOUT $launch "$PDE" run --quiet cut.pde >cut.txt 2>cut.err || echo "not ok cut files: $(head -n 1 cut.err)"
  if [ "$(points both.vtu) $(points cut.vtu) $(points plain.vtu)" = "18 18 15" ]; then echo "ok files of a cut mesh, ranks $n"
  else echo "not ok files of a cut mesh, ranks $n: $(points both.vtu) $(points cut.vtu) $(points plain.vtu) points"; fi
done
