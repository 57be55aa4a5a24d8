# Manufactured solutions, patch tests, balances: every script of tests/mms (orders.pde is what they share).
set -u
. "$SRCDIR/tests/suites/scripts_run.bash"
run_scripts $(ls "$SRCDIR"/tests/mms/*.pde | grep -v /orders.pde)
