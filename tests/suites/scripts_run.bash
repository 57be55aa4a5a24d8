# Sourced by the suites that run a directory of scripts. A script prints "ok WHAT" for each thing it has asserted and ends
# with status 0, or with the status that its first line states: "# status 1 E0312: ..." (the code must be reported too).
run_scripts() {   # run_scripts FILE...
  local script name want code status
  for script in "$@"; do
    name=$(basename "$script" .pde)
    read -r want code < <(sed -n '1s/^# status \([0-9]*\) \([EW][0-9]*\).*/\1 \2/p' "$script") || want=0 code=
    $TIMEOUT "$PDE" run --quiet "$script" >out.txt 2>err.txt; status=$?
    sed -n "s/^ok /ok $name: /p" out.txt
    if [ "$status" != "${want:-0}" ]; then echo "not ok $name: status $status, not ${want:-0}: $(grep -m1 -E 'error|warning' err.txt)"
    elif [ -n "$code" ] && ! grep -q "\[$code\]" err.txt; then echo "not ok $name: no $code: $(grep -m1 -E 'error|warning' err.txt)"
    elif [ -n "$code" ]; then echo "ok $name: refused with $code"
    elif ! grep -q '^ok ' out.txt; then echo "not ok $name: asserted nothing"; fi
  done
}
