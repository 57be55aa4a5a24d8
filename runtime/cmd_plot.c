/* pde plot: loads the result in a session and draws a field or an expression of its unknowns. */
#include <string.h>

#include "repl_session.h"

static void quoted(Buf *out, const char *text) {
  buf_putc(out, '"');
  for (const char *s = text; *s; s++) {
    if (*s == '"' || *s == '\\') buf_putc(out, '\\');
    buf_putc(out, *s);
  }
  buf_putc(out, '"');
}

static bool load_result(Session *session, const char *path) {
  Buf line = {0};
  buf_puts(&line, "result = load(");
  quoted(&line, path);
  buf_putc(&line, ')');
  bool fine = session_eval(session, buf_str(&line), "<result>", false) == EXIT_DONE;
  buf_free(&line);
  return fine;
}

/* u = result.u for every unknown; the name of the first. */
static const char *name_unknowns(Session *session) {
  Slot *slot = session_slot(session, "result");
  const Pde *pde = slot && slot->value->kind == VALUE_SOLUTION && slot->value->solution_pde ? slot->value->solution_pde->pde->pde : NULL;
  for (int i = 0; pde && i < pde->nunknowns; i++) {
    Buf line = {0};
    buf_printf(&line, "%s = result.%s", pde->unknowns[i].name, pde->unknowns[i].name);
    session_eval(session, buf_str(&line), "<result>", false);
    buf_free(&line);
  }
  return pde && pde->nunknowns ? pde->unknowns[0].name : NULL;
}

ExitStatus cmd_plot(Invocation *in) {
  Host *host = in->host;
  const char *file = invocation_option(in, "-o");
  if (!file) {
    diag_suggest(diag_report(&host->diags, E0960, (Span){0, 0}, "pde plot: -o FILE is missing"), "usage: pde plot %s", in->row->synopsis);
    return host_finish(host);
  }
  Session *session = session_open(host);
  ExitStatus status = EXIT_INPUT;
  if (load_result(session, in->arguments[0])) {
    const char *first = name_unknowns(session);
    Buf line = {0};
    buf_printf(&line, "plot(%s, ", in->narguments > 1 ? in->arguments[1] : first ? first : "result");
    quoted(&line, file);
    buf_putc(&line, ')');
    status = session_eval(session, buf_str(&line), "<plot>", false);
    buf_free(&line);
  } else {
    status = session->worst;
  }
  session_close(session);
  return status;
}
