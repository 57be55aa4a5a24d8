# Shared by the suites: sourced, not run. Needs PDE, SRCDIR, WORK, TIMEOUT.
: "${PDE:?}" "${SRCDIR:?}" "${WORK:?}"
TIMEOUT=${TIMEOUT:-}
shopt -s nullglob

ok() { echo "ok $1"; }
bad() { echo "not ok $1: $2"; }
skip() { echo "skip $1: $2"; }

# differs EXPECTED ACTUAL: prints the first difference and succeeds if there is one. Numbers agree to 1e-6 of their size (1e-9 absolute: what
# is zero up to round-off), everything else to the letter; blanks count as one.
differs() {
  awk -v expected="$1" -v actual="$2" '
    function number(s) { return s ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ }
    function words(line, out,   n, k, c, w, parts) {          # cuts numbers out of what stands around them
      n = 0
      while (match(line, /[-+]?[0-9]+\.?[0-9]*([eE][-+]?[0-9]+)?/)) {
        if (RSTART > 1) out[++n] = substr(line, 1, RSTART - 1)
        out[++n] = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
      }
      if (line != "") out[++n] = line
      return n
    }
    function same(a, b,   d, s) {
      if (a == b) return 1
      if (!number(a) || !number(b)) { gsub(/[ \t]+/, " ", a); gsub(/[ \t]+/, " ", b); return a == b }
      d = a - b; if (d < 0) d = -d
      s = a < 0 ? -a : a
      return d <= 1e-9 + 1e-6*s
    }
    BEGIN {
      for (line = 1; ; line++) {
        more = (getline e < expected) > 0; also = (getline a < actual) > 0
        if (!more && !also) exit 1
        if (more != also) { printf "line %d: %s\n", line, more ? "missing: " e : "not expected: " a; exit 0 }
        # violations are round-off: their verdict and tolerance count, not their digits and quotients
        sub(/violation [^ ,]+,/, "violation,", e); sub(/violation [^ ,]+,/, "violation,", a)
        gsub(/ \([0-9.e+-]+\/[0-9.e+-]+(, the floor)?\)/, "", e); gsub(/ \([0-9.e+-]+\/[0-9.e+-]+(, the floor)?\)/, "", a)
        n = words(e, x); m = words(a, y)
        for (k = 1; k <= n || k <= m; k++)
          if (k > n || k > m || !same(x[k], y[k])) { printf "line %d: expected \"%s\", got \"%s\"\n", line, e, a; exit 0 }
      }
    }'
}

# needs_gmsh FILE: a script that meshes by Gmsh, itself or through the shapes of the library.
needs_gmsh() { grep -Eq '\bh: *[0-9.a-z]|import "geometry/pieces"' "$1" && grep -Eq 'mesh\([^)]*h:|geometry/pieces' "$1"; }
without_gmsh() { [ "${WITH_GMSH:-1}" = 0 ] && needs_gmsh "$1"; }
