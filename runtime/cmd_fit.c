/* pde fit: fits the hypothesis of a script and writes its fields. */
#include <string.h>

#include "fit.h"
#include "repl_session.h"

static bool import_script(Session *session, const char *path) {
  Buf line = {0};
  buf_puts(&line, "import \"");
  for (const char *s = path; *s; s++) {
    if (*s == '"' || *s == '\\') buf_putc(&line, '\\');
    buf_putc(&line, *s);
  }
  buf_putc(&line, '"');
  bool fine = session_eval(session, buf_str(&line), "<fit>", false) == EXIT_DONE;
  buf_free(&line);
  return fine;
}

/* The hypothesis of that name, or the only one. */
static Name choose(Invocation *in, Session *session, const char *wanted) {
  Host *host = in->host;
  Scope *scope = session->module->scope;
  Name found = NULL;
  int n = 0;
  for (int i = 0; i < scope->n; i++)
    if (scope->slots[i].value->kind == VALUE_HYPOTHESIS && (!wanted || !strcmp(wanted, scope->slots[i].name))) found = scope->slots[i].name, n++;
  if (n == 1) return found;
  Buf list = {0};
  for (int i = 0; i < scope->n; i++)
    if (scope->slots[i].value->kind == VALUE_HYPOTHESIS) buf_printf(&list, "%s%s", list.len ? ", " : "", scope->slots[i].name);
  Diag *d = diag_report(&host->diags, E4063, (Span){0, 0}, wanted ? "`%s` has no hypothesis `%s`" : list.len ? "`%s` has several hypotheses" : "`%s` has no hypothesis", in->arguments[0], wanted ? wanted : "");
  if (list.len) diag_suggest(d, "name one by --hypothesis: %s", buf_str(&list));
  else diag_suggest(d, "declare a discovery with its trajectories, and `hypothesis law for d { unknown field D(x, y); dt(u) == ... }`");
  buf_free(&list);
  return NULL;
}

/* format: with %1$s and %2$s. */
static ExitStatus say(Session *session, const char *format, const char *a, const char *b) {
  Buf line = {0};
  buf_printf(&line, format, a, b);
  ExitStatus status = session_eval(session, buf_str(&line), "<fit>", false);
  buf_free(&line);
  return status;
}

ExitStatus cmd_fit(Invocation *in) {
  const char *wanted = invocation_option(in, "--hypothesis"), *replicates = invocation_option(in, "--bootstrap");
  Session *session = session_open(in->host);
  Name law = import_script(session, in->arguments[0]) ? choose(in, session, wanted) : NULL;
  ExitStatus status = law ? say(session, "fitted = fit(%1$s, bootstrap: %2$s)", law, replicates ? replicates : "0") : session->worst ? session->worst : host_finish(in->host);
  Slot *slot = session_slot(session, "fitted");
  const FitValue *fit = law && status == EXIT_DONE && slot && slot->value->kind == VALUE_FIT ? slot->value->fit : NULL;
  if (fit && !in->json) status = session_eval(session, "print(fitted)", "<fit>", false);
  for (int k = 0; fit && k < fit->nfields && status == EXIT_DONE; k++)
    status = say(session, "export((%1$s: fitted.%1$s, sd: fitted.%1$s.band, information: fitted.%1$s.information), \"%1$s.npz\")", fit->field[k].name, "");
  if (fit && in->json) in->result = fit_json(fit);
  session_close(session);
  return status;
}
