#include "command.h"
ExitStatus repl_run(Host *host) { return host_finish(host); }
