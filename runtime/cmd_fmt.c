/* pde fmt */
#include <stdlib.h>
#include <string.h>

#include "../lang/fmt.h"
#include "command.h"

/* false: the file would change (with check), or an error was reported. */
static bool format_file(Host *host, const char *path, bool check) {
  size_t len;
  char *text = command_read(host, path, &len);
  if (!text) return false;
  const Source *source = source_add(host->sources, path, text, len);
  Program *program = source ? parse_program(source, host->names, &host->diags, NULL) : NULL;
  bool fine = program && program->nerrors == 0;
  Buf out = {0};
  if (fine) fmt_program(&out, program);
  bool same = fine && out.len == len && !memcmp(buf_str(&out), text, len);
  if (fine && check && !same) {
    command_print("%s\n", path);
    fine = false;
  } else if (fine && !check) {
    if (!strcmp(path, "-")) command_print("%s", buf_str(&out));
    else if (!same) fine = host_write_file(host, path, &out, (Span){0, 0});
  }
  buf_free(&out);
  program_release(program);
  free(text);
  return fine;
}

ExitStatus cmd_fmt(Invocation *in) {
  bool check = invocation_option(in, "--check") != NULL, fine = true;
  for (int i = 0; i < in->narguments; i++) fine = format_file(in->host, in->arguments[i], check) && fine;
  ExitStatus status = host_finish(in->host);
  return status == EXIT_DONE && !fine ? EXIT_INPUT : status;
}
