# What the documentation shows is what the program does. In README.md and docs/*.md these fenced blocks are run, each file of
# documentation in a directory of its own, in order:
#
#   ```pde [NAME.pde]             pde run; ends with status 0. A comment `<!-- before` ... `-->` above it holds lines put before it
#   ```pde-error CODE [NAME.pde]  pde run; does not end with 0, and reports CODE
#   ```pde-check [NAME.pde]       pde check; ends with status 0
#   ```session                    the lines after `pde> ` and `...> ` typed into the interactive session, the others what it shows
#   ```console                    the commands after `$ ` in a shell, the other lines what they print
#   ```output                     what the block before it printed, to the letter (of a wrong script: its diagnostics)
#
# `docs.sh --accept` (make docs) writes what was printed into `output` and `console` blocks; sessions are mended by hand.
# Other blocks are text. reference.md is what docs/generate.sh gives, pictures are drawn by the scripts beside them, links lead somewhere.
set -u
accept=; [ "${1:-}" = --accept ] && accept=1
[ "${WITH_GMSH:-1}" = 1 ] || { echo 'skip docs: the examples need Gmsh'; exit 0; }
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1${3:+: $3}"; fi; }
mkdir -p bin; ln -sf "$PDE" bin/pde; export PATH="$PWD/bin:$PATH" PDE_LIBDIR="$BUILDDIR/pde"

split() {   # split FILE: N.kind N.args N.text N.before N.expect for each block
  awk '
    /^<!-- before$/ {before = 1; kept = ""; next}
    before && /^-->$/ {before = 0; next}
    before {kept = kept $0 "\n"; next}
    /^```/ && !inside {
      inside = 1; word = substr($0, 4); args = word; sub(/^[^ ]* */, "", args); sub(/ .*/, "", word)
      if (word == "output") target = n ".expect"
      else {n++; target = n ".text"; print word >(n ".kind"); print NR " " args >(n ".args"); printf "%s", kept >(n ".before"); kept = ""}
      printf "" >target
      next
    }
    /^```/ {inside = 0; close(target); next}
    inside {print >target}
  ' "$1"
}
first_difference() { diff "$1" "$2" | sed -n '2,5p' | tr '\n' ' '; }
# Blanks at the ends of lines, and violations that are round-off, may differ.
plain() { sed 's/[ \t]*$//; s/violation \(0\|[0-9.]*e-\(0[7-9]\|[1-9][0-9]\)\),/violation none,/' "$1"; }
compare() {   # compare WHAT EXPECTED ACTUAL
  plain "$3" >shown; plain "$2" >wanted
  cmp -s wanted shown || { [ -n "$accept" ] && cp "$3" "$2.shown"; }
  cmp -s wanted shown; say "$1: prints what is shown" $? "$(first_difference wanted shown)"
}

one() {   # one WHAT N KIND ARGS...
  local what=$1 n=$2 kind=$3 name code= status; shift 3
  [ "$kind" = pde-error ] && { code=$1; shift; }
  name=${1:-block$n.pde}
  cat "parts/$n.before" "parts/$n.text" >"$name"
  case $kind in
    pde | pde-error) $TIMEOUT pde run --quiet "$name" >out 2>err ;;
    pde-check) $TIMEOUT pde check "$name" >out 2>err ;;
  esac
  status=$?
  case $kind in
    pde-error) [ "$status" != 0 ] && grep -q "\[$code\]" err; say "$what: gives $code" $? "status $status, $(head -n 1 err)" ;;
    *) [ "$status" = 0 ]; say "$what: runs" $? "status $status, $(head -n 1 err)" ;;
  esac
  [ "$kind" = pde-error ] && cp err out
  [ -f "parts/$n.expect" ] && compare "$what" "parts/$n.expect" out
}

console() {   # console WHAT N
  : >shown.all
  while IFS= read -r line; do
    case $line in
      '$ '*) echo "$line" >>shown.all; $TIMEOUT bash -c "${line#\$ }" >>shown.all 2>&1 </dev/null ;;
    esac
  done <"parts/$2.text"
  compare "$1" "parts/$2.text" shown.all
}

session() {
  sed -n 's/^\(pde\|\.\.\.\)> \{0,1\}//p' "parts/$2.text" >typed
  sed '/^\(pde\|\.\.\.\)>/d' "parts/$2.text" >expect
  $TIMEOUT pde <typed >out 2>&1
  compare "$1" expect out
}

rewrite() {   # rewrite FILE: its blocks with what was printed instead
  awk '
    /^```/ && !inside {
      inside = 1; print; word = substr($0, 4); sub(/ .*/, "", word)
      if (word == "output") file = "parts/" n ".expect.shown"; else file = "parts/" ++n ".text.shown"
      replaced = 0
      while ((getline line <file) > 0) {print line; replaced = 1}
      if (!replaced && system("test -e " file) == 0) replaced = 1
      close(file); next
    }
    /^```/ {inside = 0; replaced = 0}
    !(inside && replaced)
  ' "$1" >rewritten && cat rewritten >"$1"
}

run_document() {
  local doc=$1 label n kind args
  label=$(basename "$doc" .md)
  mkdir -p "$label/parts" && cd "$label" || return
  (cd parts && split "$doc")
  for kind in $(ls parts/*.kind 2>/dev/null | sort -t/ -k2 -n); do
    n=$(basename "$kind" .kind); read -r args <"parts/$n.args"; set -- $args
    line=$1; shift
    case $(cat "$kind") in
      pde | pde-check | pde-error) one "$label:$line" "$n" "$(cat "$kind")" "$@" ;;
      console) console "$label:$line" "$n" ;;
      session) session "$label:$line" "$n" ;;
    esac
  done
  [ -n "$accept" ] && ls parts/*.shown >/dev/null 2>&1 && rewrite "$doc"
  cd ..
}

for doc in "$SRCDIR"/README.md "$SRCDIR"/docs/*.md; do
  run_document "$doc"
  missing=
  for link in $(sed 's/`[^`]*`//g' "$doc" | grep -o '](\([^)#]*\)' | sed 's/^](//' | grep -v '^[a-z]*:' | sort -u); do
    [ -e "$(dirname "$doc")/$link" ] || missing="$missing $link"
  done
  [ -z "$missing" ]; say "$(basename "$doc" .md): links${missing:+, but not$missing}" $?
done

# Pictures: small, shown somewhere, drawn by a script of the documentation under that name.
for picture in "$SRCDIR"/docs/pictures/*.png; do
  name=$(basename "$picture")
  [ "$(stat -c %s "$picture")" -lt 200000 ] && grep -q "pictures/$name" "$SRCDIR"/README.md "$SRCDIR"/docs/*.md && ls */"$name" >/dev/null 2>&1
  say "picture $name: small, shown, drawn" $?
done

bash "$SRCDIR/docs/generate.sh" "$PDE" >reference.md 2>&1
cmp -s reference.md "$SRCDIR/docs/reference.md"; say 'reference.md is what `make docs` gives' $? "$(first_difference "$SRCDIR/docs/reference.md" reference.md)"

# File names in architecture.md exist.
absent=
for file in $(grep -o '`\(lang\|numerics\|runtime\|tests\|docs\|stdlib\)/[A-Za-z0-9_./-]*`' "$SRCDIR"/docs/*.md | sed 's/^[^`]*`//; s/`$//' | grep -v NAME | sort -u); do
  ls -d "$SRCDIR"/$file >/dev/null 2>&1 || absent="$absent $file"
done
[ -z "$absent" ]; say "files that the documents name exist${absent:+, but not$absent}" $?
