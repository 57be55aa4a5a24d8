#!/usr/bin/env bash
# Contracts of the catalogue judge witnesses whose violations are known by hand: tests/known/*.pde, a test for each row of tests/known/catalogue.txt.
# Every row has an accepted and a rejected witness of each of its contracts; every contract of the library is in a row.
set -u
. "$(dirname "$0")/common.bash"
known=$SRCDIR/tests/known

for script in "$known"/*.pde; do
  name=$(basename "$script" .pde)
  if [ -e "$known/$name.c" ]; then      # its predictor is a shared object beside it
    cp "$script" "$WORK" && script=$WORK/$name.pde
    ${CC:-cc} -O2 -shared -fPIC -I "$SRCDIR/runtime" -o "$WORK/$name.so" "$known/$name.c" 2>"$WORK/err" || { skip "$name" "no compiler"; continue; }
  fi
  $TIMEOUT "$PDE" test --quiet "$script" >"$WORK/out" 2>"$WORK/err"
  sed -n 's/^ok *"\(.*\)"$/ok '"$name"': \1/p; s/^FAILED "\(.*\)"$/not ok '"$name"': \1/p' "$WORK/out"
  grep -q '^ok\|^FAILED' "$WORK/out" || bad "$name" "$(grep -m 1 error "$WORK/err")"
done

# "TAG accept CONTRACT" for each witness: of a test "TAG" or "TAG, more".
cat "$known"/*.pde | awk '
  /^test "/ { split($0, quoted, "\""); split(quoted[2], words, /[ ,]/); tag = words[1] }
  { line = $0; sub(/^test "[^"]*" *\{ */, "", line); n = split(line, word, /[ (]+/); at = word[1] == "" ? 2 : 1
    if (word[at] == "accept" || word[at] == "reject") print tag, word[at], word[at + 1] }' | LC_ALL=C sort -u >"$WORK/witnesses"
lacking=0
while read -r tag contracts; do
  case $tag in '' | '#'*) continue ;; esac
  for contract in $contracts; do
    for verdict in accept reject; do
      grep -qx "$tag $verdict $contract" "$WORK/witnesses" || { bad "$tag" "no known answer: no witness that $contract must $verdict"; lacking=1; }
    done
  done
done <"$known/catalogue.txt"
[ $lacking = 0 ] && ok "every row of the catalogue has known answers"

grep -v '^#' "$known/catalogue.txt" | tr -s ' ' '\n' | LC_ALL=C sort -u >"$WORK/listed"
unlisted=$(sed -n 's/^contract \([a-z][a-z0-9_]*\)(.*/\1/p' "$SRCDIR"/stdlib/contracts/*.pde | LC_ALL=C sort -u | while read -r contract; do grep -qx "$contract" "$WORK/listed" || echo "$contract"; done | tr '\n' ' ')
if [ -n "$unlisted" ]; then bad "every contract of the library is in the catalogue" "$unlisted"; else ok "every contract of the library is in the catalogue"; fi
