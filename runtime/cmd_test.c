/* pde test */
#include <string.h>

#include "command.h"

static ExitStatus graver(ExitStatus a, ExitStatus b) { return a > b ? a : b; }

ExitStatus cmd_test(Invocation *in) {
  Host *host = in->host;
  ExitStatus status = EXIT_DONE;
  int passed = 0, failed = 0;
  host->run_tests = true;
  host->test_filter = invocation_option(in, "--filter");
  for (int i = 0; i < in->narguments; i++) {
    if (in->narguments > 1 && !in->json) command_print("%s\n", in->arguments[i]);
    status = graver(status, host_execute(host, command_load(in, in->arguments[i]), false));
  }
  passed += host->tests_passed;
  failed += host->tests_failed;
  if (!in->json) command_print("%d passed, %d failed\n", passed, failed);
  return status;
}
