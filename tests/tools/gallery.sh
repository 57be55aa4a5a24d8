#!/usr/bin/env bash
# gallery.sh OUT.md PICTURES: runs every case of examples/gallery, puts its picture into PICTURES and writes the page of the documentation
# about them: what each is, by what it is verified, and how it came out.
set -eu
: "${SRCDIR:?}" "${PDE:?}"
page=$1 pictures=$2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
mkdir -p "$pictures"
header() { sed -n "/^# $1:/,/^\(# [A-Z][a-z]*:.*\|[^#].*\|# Slow.*\|\)$/p" "$2" | sed -n "1s/^# $1: //p; 2,\${/^# [A-Z][a-z]*:/q; /^[^#]/q; /^# Slow/q; s/^# //p}" | tr '\n' ' ' | sed 's/ *$//'; }
{
  cat <<'EOF'
# Gallery

Thirty cases in ten groups, from a rod to the flow round a wing. Each is a script in `examples/gallery/` that makes its geometry and mesh, solves, draws,
exports, and is *verified*: by a reference (an exact solution or a published value) or by refinement (three meshes, observed order, Richardson's estimate
of the error). A case that only runs does not count. `make gallery` runs them all and writes this page; the contracts that each solution passed are named.

EOF
  for script in $(grep -H -m1 '^# G[0-9]' "$SRCDIR"/examples/gallery/*.pde | sed 's/^\([^:]*\):# G\([0-9]*\)\.\([0-9]*\).*/\2 \3 \1/' | sort -n -k1 -k2 | cut -d' ' -f3); do
    name=$(basename "$script" .pde)
    "$PDE" run --quiet "$script" --out "$work" >"$work/stdout"
    cp "$work/$name.png" "$pictures/$name.png"
    sed -n '1s/^# \(G[0-9.]*\) /## \1 /p' "$script"
    printf '\n![%s](%s/%s.png)\n\n' "$(sed -n '1s/^# G[0-9.]* \(.*\)\.$/\1/p' "$script")" "$(basename "$pictures")" "$name"
    printf '%s [`%s.pde`](../examples/gallery/%s.pde)\n\n' "$(header Data "$script")" "$name" "$name"
    sed -n 's/^G[0-9.]* [^:]*: verified by /- verified by /p' "$work/stdout"
    printf -- '- contracts passed: %s\n\n' "$(sed -n 's/^  pass *[a-z]* *\([a-z_]*\).*/\1/p' "$work/stdout" | sort -u | paste -sd, | sed 's/,/, /g')"
  done
} >"$work/page.md"
mv "$work/page.md" "$page"
