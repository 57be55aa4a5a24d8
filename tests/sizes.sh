#!/usr/bin/env bash
# sizes.sh [DIR]: no source file over 1000 lines; over 600 is worth a thought and is printed.
set -u
cd "${1:-${SRCDIR:-.}}" || exit 1
status=0
while read -r lines file; do
  if [ "$lines" -gt 1000 ]; then echo "$file: $lines lines, the limit is 1000: split it by concept"; status=1
  elif [ "$lines" -gt 600 ]; then echo "$file: $lines lines, more than 600"; fi
done < <(find lang numerics runtime tests examples \( -name '*.[chly]' -o -name '*.def' -o -name '*.sh' \) -type f ! -name diag.def \
  -exec wc -l {} + | grep -v ' total$')
exit $status
