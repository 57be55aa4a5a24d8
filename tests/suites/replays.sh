# Problem reports of other tools, each set up anew: every script of tests/replays.
set -u
. "$SRCDIR/tests/suites/scripts_run.bash"
run_scripts "$SRCDIR"/tests/replays/*.pde
