#!/usr/bin/env bash
# generate.sh PDE > reference.md: the tables of the language, as the program PDE itself documents them. Called by `make docs`;
# tests/suites/docs.sh compares what is in the tree with what it gives.
set -u
export LC_ALL=C.UTF-8 NO_COLOR=1
pde=$1 here=$(cd "$(dirname "$0")" && pwd)

names() { "$pde" doc "$1" | sed -n 's/^  \([^ ][^ ]*\) .*/\1/p'; }
# Two columns out of "  NAME   text" lines.
table() { awk -v a="$1" -v b="$2" 'BEGIN {print "| " a " | " b " |\n|---|---|"} /^  [^ ]/ {name = $1; sub(/^  [^ ]+ +/, ""); gsub(/\|/, "\\|"); gsub(/</, "\\&lt;"); print "| `" name "` | " $0 " |"}'; }

cat <<'END'
# Reference tables

Made by `make docs` from the tables of the program; the same texts come from `pde doc NAME` and, in a session, `:doc NAME`. What the
words mean is in [language.md](language.md).

[Functions](#functions) · [Geometries](#geometries) · [Elements](#elements) · [Time schemes](#time-schemes) · [Solvers](#solvers) ·
[File formats](#file-formats) · [Units](#units) · [Kinds of declarations](#kinds-of-declarations) · [Reserved words](#reserved-words) ·
[Standard library](#standard-library) · [Run records](#run-records) · [Commands](#commands) · [Exit statuses](#exit-statuses)

## Functions

A parameter with `= value` may be left out; labels may be left out where the order is clear: `mesh(g, h: 0.1)`. `...` at the end takes
further arguments. An example with `->` prints what follows it.
END
"$pde" doc builtins | while IFS= read -r line; do
  case $line in
    '') ;;
    '  '*)
      name=$(echo "$line" | awk '{print $1}')
      "$pde" doc "$name" | awk -v name="$name" '
        function quiet(s, p, n, i, out) {n = split(s, p, "`"); for (i = 1; i <= n; i++) {if (i % 2) {gsub(/</, "\\&lt;", p[i]); gsub(/\*/, "\\*", p[i])} out = out (i > 1 ? "`" : "") p[i]} return out}
        # a signature that was broken into lines goes on until its parentheses are closed
        !head {signature = signature (signature ? " " : "") $0; if (gsub(/\(/, "(", signature) > gsub(/\)/, ")", signature)) next; head = 1; next}
        head == 1 {if (/^->/) {signature = signature " " $0; next} print "\n**`" signature "`**\n"; head = 2}
        /^Example$/ {example = 1; next}
        example && /^  / {sub(/^  /, ""); printf "%s`%s`", first++ ? "  \n" : "\nExample: ", $0; next}
        NF {print quiet($0)}
        END {if (first) print ""}' ;;
    *) printf '\n### %s%s\n' "$(echo "${line:0:1}" | tr a-z A-Z)" "${line:1}" ;;
  esac
done

printf '\n## Geometries\n\nA range gives an extent: `x: 0..1`. In a program with units lengths carry them: `radius: 5 [mm]`.\n'
for name in $(names geometries); do
  "$pde" doc "$name" | awk '
    NR == 1 {match($0, /      geometry, /); print "\n**`" substr($0, 1, RSTART - 1) "`** (" substr($0, RSTART + RLENGTH) ")\n"; next}
    /^Example$/ {example = 1; next}
    example && /^  / {sub(/^  /, ""); print "\nExample: `" $0 "`"; next}
    /^Boundaries:/ || /^Also:/ {print $0 "  "; next}
    /^  / {name = $1; sub(/^  [^ ]+ +/, ""); parameters = parameters "- `" name "`: " $0 "\n"; next}
    parameters && !NF {printf "\n%s\n", parameters; parameters = ""; next}
    NF {sub(/ Boundaries: [^.]*\.$/, ""); sub(/ Boundary: [^.]*\.$/, ""); print}'
done

printf '\n## Elements\n\n'; "$pde" doc elements | table element 'what it is'
printf '\n## Time schemes\n\n'
printf '| scheme | what it is |\n|---|---|\n'
for name in $(names schemes); do
  "$pde" doc "$name" | awk -v name="$name" 'NR == 1 {sub(/^[^:]*: /, ""); title = $0} NR > 2 {text = text (text ? " " : "") $0} END {print "| `" name "` | " toupper(substr(title, 1, 1)) substr(title, 2) ". " text " |"}'
done
printf '\n## Solvers\n\n`solve` chooses one by the class and size of the problem, `pde check` says which and why; `solver: "NAME"` overrides it.\n\n'
printf '| solver | what it is | for |\n|---|---|---|\n'
for name in $(names solvers); do
  "$pde" doc "$name" | awk -v name="$name" 'NR == 1 {sub(/^[^:]*: /, ""); title = $0} NR > 2 {text = text (text ? " " : "") $0} END {print "| `" name "` | " title " | " text " |"}'
done
printf '\n## File formats\n\n| extension | by | what it is |\n|---|---|---|\n'
tr '\n' ' ' <"$here/../numerics/io.def" | sed 's/" *  *"//g; s/IO("/\n&/g' | sed -n 's/^IO("\([^"]*\)", [a-z_]*, \(true\|false\), \(true\|false\), "\([^"]*\)").*/\1|\2|\4/p' |
  while IFS='|' read -r extension export text; do
    if [ "$export" = true ]; then by='`export`'; else by='`save`, `load`'; fi
    echo "| \`.$extension\` | $by | $text |"
  done
printf '| `.png`, `.svg` | `plot` | a picture |\n| `.msh` | `import_mesh` | Gmsh meshes, 2.2 and 4.1, text and binary |\n'
printf '\n## Units\n\nA unit is a product, quotient or power of these symbols: `[W/(m^2*K)]`. `unit mmHg = 133.322 [Pa]` adds one.\n\n```text\n'
"$pde" doc units
printf '```\n\n## Kinds of declarations\n\n'; "$pde" doc kinds | table kind 'what it declares'
printf '\n## Reserved words\n\n'; "$pde" doc keywords | table word use
printf '\n## Standard library\n\nContracts are known without an import; of the rest `import "FILE"` brings the names in.\n'
for file in $("$pde" doc stdlib | grep '^[^ ]'); do
  printf '\n### %s\n' "$file"
  "$pde" doc "$file" | awk '
    function quiet(s, p, n, i, out) {n = split(s, p, "`"); for (i = 1; i <= n; i++) {if (i % 2) {gsub(/</, "\\&lt;", p[i]); gsub(/\*/, "\\*", p[i])} out = out (i > 1 ? "`" : "") p[i]} return out}
    function flush() {if (text) print text; text = ""}
    !NF {flush(); item = 0; next}
    !item && !/^ / && (/^(fn|contract|contracts|pde|geometry|field|param|unit) / || /^[a-z_A-Z0-9]+ = /) {print "\n**`" $0 "`**\n"; item = 1; next}
    item {sub(/^ +/, ""); if (text) print text; text = quiet($0); next}
    {if (!head++) print ""; print quiet($0)}
    END {flush()}'
done
printf '\n## Run records\n\nThe tables of `run.db`; views name their columns ([records.md](records.md)). Every row also has its number in its table, `n`.\n'
"$pde" doc records | awk '
  !NF {next}
  /^[^ ]/ {printf "\n### %s\n\n| column | what |\n|---|---|\n", $0; next}
  {name = $1; sub(/^  [^ ]+ +/, ""); print "| `" name "` | " $0 " |"}'
printf '\n## Commands\n'
for name in $("$pde" help | sed -n '/^not in/q; s/^  \([a-z-]*\) .*/\1/p'); do
  "$pde" help "$name" | awk 'NR == 1 {sub(/^usage: /, ""); print "\n**`" $0 "`**\n"; next} !NF {next} /^Exit status: / {sub(/\.$/, ""); print "\n" $0 "."; next} {print}'
done
printf '\nNot in this build (status 4):'
"$pde" help | awk '/^not in/ {on = 1; next} on && /^  / {printf "%s `%s`", n++ ? "," : "", $1} END {print "."}'
printf '\n## Exit statuses\n\n| status | meaning |\n|---|---|\n'
"$pde" help --man | awk '/^\.SH/ {on = /EXIT STATUS/} on && /^\.B / {status = $2; getline; gsub(/\\\(aq/, "`"); gsub(/\\-/, "-"); print "| " status " | " $0 " |"}'
