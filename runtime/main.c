/* The command `pde`: finds the row, parses its arguments, runs it, prints the envelope. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void report_unknown(Host *host, const char *name) {
  Diag *d = diag_report(&host->diags, E0960, (Span){0, 0}, "`%s` is no command of pde", name);
  size_t n = strlen(name);
  if (access(name, R_OK) == 0 || (n > 4 && !strcmp(name + n - 4, ".pde"))) {
    diag_suggest(d, "to run a script: pde run %s", name);
    return;
  }
  Name names[128];
  int count = 0;
  for (int i = 0; i < command_count && count < 128; i++) names[count++] = command_rows[i].name;
  Name near = nearest_name(name, names, count);
  if (near) diag_suggest(d, "did you mean `pde %s`?", near);
  else diag_suggest(d, "`pde help` lists the commands");
}

static ExitStatus run(Invocation *in, int argc, char **argv) {
  bool understood = invocation_parse(in, argc - 2, argv + 2);
  if (in->json) in->host->on_message = NULL;     /* the envelope has the diagnostics */
  if (!understood) return host_finish(in->host);
  if (invocation_option(in, "--help")) {
    Buf text = {0};
    help_command(&text, in->row);
    command_print("%s", buf_str(&text));
    buf_free(&text);
    return EXIT_DONE;
  }
  if (!in->row->run) {
    diag_report(&in->host->diags, E0900, (Span){0, 0}, "`pde %s` (%s) is not in this build", in->row->name, in->row->title);
    return host_finish(in->host);
  }
  command_use_options(in);
  return in->row->run(in);
}

static ExitStatus command_main(Host *host, int argc, char **argv) {
  const char *name = argv[1];
  if (!strcmp(name, "--help") || !strcmp(name, "-h")) name = "help";
  if (!strcmp(name, "--version") || !strcmp(name, "-V")) name = "version";
  Invocation in = {.host = host, .row = command_row(name)};
  if (!in.row) {
    report_unknown(host, name);
    return host_finish(host);
  }
  host->command = in.row->name;
  double start = now();
  ExitStatus status = run(&in, argc, argv);
  command_progress_clear();
  if (in.json) command_envelope(&in, status, now() - start);
  json_free(in.result);
  json_free(in.budget);
  json_free(in.next);
  return status;
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN);     /* a file over the limit is an error of its own (EFBIG), not the end */
  Host *host = command_host();
  if (!host) {
    fputs("pde: out of memory\n", stderr);
    return EXIT_ENVIRONMENT;
  }
  ExitStatus status = argc > 1 ? command_main(host, argc, argv) : repl_run(host);
  command_host_free(host);
  if (fflush(stdout) || ferror(stdout)) {
    perror("pde: standard output");
    if (status == EXIT_DONE) status = EXIT_ENVIRONMENT;
  }
  return status;
}
