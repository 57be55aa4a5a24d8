#!/usr/bin/env bash
# `pde doc`: every contract of the library is shown with the formula of its violation, in Unicode, LaTeX and MathML; kinds of declarations have pages.
set -u
. "$(dirname "$0")/common.bash"

for file in "$SRCDIR"/stdlib/contracts/*.pde; do
  name=contracts/$(basename "$file" .pde)
  contracts=$(grep -c '^contract [a-z]' "$file")
  "$PDE" doc "$name" >"$WORK/text"; "$PDE" doc "$name" --latex >"$WORK/latex"; "$PDE" doc "$name" --mathml >"$WORK/mathml"
  shown=$(grep -c '^    violation = .' "$WORK/text")
  if [ "$shown" = "$contracts" ]; then ok "$name: formulas"; else bad "$name: formulas" "$shown of $contracts"; fi
  grep -q '…' "$WORK/text" && bad "$name: all is shown" "$(grep -m 1 '…' "$WORK/text")"
  unbalanced=$(awk '/begin.aligned/ { inside = 1; n = 0 } inside { s = $0; gsub(/\\[{}]/, "", s); n += gsub(/\{/, "", s); n -= gsub(/\}/, "", s) } /end.aligned/ { if (n) print NR; inside = 0 }' "$WORK/latex")
  [ "$(grep -c 'begin{aligned}' "$WORK/latex")" = "$contracts" ] || unbalanced="not all"
  if [ -z "$unbalanced" ]; then ok "$name: LaTeX"; else bad "$name: LaTeX" "$unbalanced"; fi
  # each line is an element of its own whose tags close in their order
  broken=$(awk '/^<math/ { n = 0; s = $0
      while (match(s, /<[^>]*>/)) { tag = substr(s, RSTART + 1, RLENGTH - 2); s = substr(s, RSTART + RLENGTH)
        if (tag ~ /\/$/) continue
        if (tag ~ /^\//) { if (open[n--] != substr(tag, 2)) { print NR; break } } else { sub(/ .*/, "", tag); open[++n] = tag } }
      if (n) print NR }' "$WORK/mathml" | head -n 1)
  if [ -z "$broken" ] && grep -q '^<math' "$WORK/mathml"; then ok "$name: MathML"; else bad "$name: MathML" "line $broken"; fi
done

has() { if "$PDE" doc "${@:2}" | grep -qF -- "$1"; then ok "doc ${*:2}: $1"; else bad "doc ${*:2}" "without $1"; fi; }
has 'violation = ‖m(c) − m(a) − m(b)‖/max(size, 10⁻² S)' superposition
has 'a = z[loads ← z_loads/2]' LIN-SUP
has '\frac{\left\|m(c) - m(a) - m(b)\right\|}{\max(\mathrm{size}, 10^{-2}\,S)}' LIN-SUP --latex
has '<mfrac>' LIN-SUP --mathml
has 'with ⟦e⟧ the left side of e less its right side' trace
has 'adversary { starts: 16; steps: 200 }' audit
has 'input u(t), v(t) from bank B' map
has 'process: "python3 predict.py"' model
has 'file: "cases.h5"' dataset
has 'title "TEXT"' view
