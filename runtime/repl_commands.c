/* The commands of a session: rows, chosen by unique prefix. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "doc.h"
#include "pde_facts.h"
#include "repl_session.h"

static void put(Session *session, const Buf *text) { host_print(session->host, buf_str(text), text->len); }

static void complain(Session *session, const char *suggestion, const char *format, const char *word) {
  Diag *d = diag_report(&session->host->diags, E0960, (Span){0, 0}, format, word);
  if (suggestion) diag_suggest(d, "%s", suggestion);
}

/* --- help and documentation --- */

static void run_help(Session *session, const char *argument) {
  Buf text = {0};
  if (*argument) {
    if (!doc_print(session->host, &text, *argument == ':' ? argument + 1 : argument, EXPR_UNICODE)) doc_report_unknown(session->host, argument);
  } else {
    buf_puts(&text, "Statements of the language run at once; expressions show their value (a `;` at the end silences it); ans is the last value.\n"
                    "An open bracket or brace goes on on the next line. TAB completes. Ctrl-C clears the line, or stops a solve at the next safe place. Ctrl-D leaves.\n\n");
    for (const SessionCommand *c = session_commands; c->name; c++) buf_printf(&text, "  :%-8s%-22s %s\n", c->name, c->argument, c->doc);
    buf_puts(&text, "\n:doc builtins, :doc geometries, :doc kinds and :doc stdlib list what there is.\n");
  }
  put(session, &text);
  buf_free(&text);
}

static void run_doc(Session *session, const char *argument) {
  Buf text = {0};
  Slot *slot = session_slot(session, argument);
  if (slot && slot->decl) {
    const Source *source = source_of(session->host->sources, slot->decl->span);
    doc_declaration(&text, source, slot->decl);
  } else if (!*argument) complain(session, "as in :doc solve", ":doc needs a name%s", "");
  else if (!doc_print(session->host, &text, argument, EXPR_UNICODE)) doc_report_unknown(session->host, argument);
  put(session, &text);
  buf_free(&text);
}

/* --- values --- */

static void describe(Buf *out, const Value *v) {
  buf_puts(out, value_kind_name(v));
  Unit unit = UNIT_NONE;
  if (v->kind == VALUE_NUMBER) unit = v->unit;
  else if (v->kind == VALUE_FIELD) {
    unit = v->expr->unit;
    buf_puts(out, ", ");
    shape_print(out, v->expr->shape);
  } else if (v->kind == VALUE_LIST || v->kind == VALUE_TUPLE) buf_printf(out, " of %d", v->n);
  if (v->kind == VALUE_NUMBER && v->integer) buf_puts(out, ", int");
  if (unit_is_none(unit) || unit.any) return;
  buf_puts(out, " [");
  unit_print_short(out, unit);
  buf_putc(out, ']');
}

static void run_type(Session *session, const char *argument) {
  Value *v = session_value(session, argument, true);
  if (!v) return;
  Buf text = {0};
  describe(&text, v);
  buf_putc(&text, '\n');
  put(session, &text);
  buf_free(&text);
  value_release(v);
}

/* A pde by name, or the one of a solution; NULL after a report. */
static PdeValue *find_pde(Session *session, const char *name) {
  Slot *slot = session_slot(session, name), *only = NULL;
  for (int i = 0; !*name && i < session->module->scope->n; i++)
    if (session->module->scope->slots[i].value->kind == VALUE_PDE) only = &session->module->scope->slots[i];
  if (!*name) slot = only;      /* the last one */
  Value *v = slot ? slot->value : NULL;
  if (v && v->kind == VALUE_SOLUTION) v = v->solution_pde;
  if (v && v->kind == VALUE_PDE && v->pde->form) return v->pde;
  complain(session, NULL, *name ? "there is no pde `%s` in this session" : "there is no pde in this session%s", name);
  return NULL;
}

static void print_form(Session *session, const char *argument, ExprStyle style) {
  PdeValue *pde = find_pde(session, argument);
  if (!pde) return;
  Buf text = {0};
  form_print(&text, pde->form, style);
  put(session, &text);
  buf_free(&text);
}

static void run_weak(Session *session, const char *argument) { print_form(session, argument, EXPR_UNICODE); }

static void run_latex(Session *session, const char *argument) {
  Slot *slot = session_slot(session, argument);
  if (!*argument || (slot && (slot->value->kind == VALUE_PDE || slot->value->kind == VALUE_SOLUTION))) {
    print_form(session, argument, EXPR_LATEX);
    return;
  }
  Value *v = session_value(session, argument, true);
  if (v && v->kind == VALUE_FIELD) {
    Buf text = {0};
    expr_print(&text, v->expr, EXPR_LATEX);
    buf_putc(&text, '\n');
    put(session, &text);
    buf_free(&text);
  } else if (v) complain(session, ":latex takes a pde or a field expression", "`%s` has no formula", argument);
  value_release(v);
}

static void run_kernel(Session *session, const char *argument) {
  char name[64];
  size_t n = strcspn(argument, " ");
  const char *what = argument + n + strspn(argument + n, " ");
  if (n >= sizeof name) n = sizeof name - 1;
  memcpy(name, argument, n);
  name[n] = 0;
  PdeValue *pde = find_pde(session, name);
  const EngineApi *api = pde ? host_engine(session->host, (Span){0, 0}) : NULL;
  if (!api) return;
  if (!*what) what = "ir";
  if (strcmp(what, "ir") && strcmp(what, "llvm") && strcmp(what, "asm")) {
    complain(session, "ir, llvm or asm", ":kernel knows no `%s`", what);
    return;
  }
  Buf text = {0};
  if (!api->kernel_text(session->host->engine, pde->pde, what, &session->host->diags, &text)) put(session, &text);
  buf_free(&text);
}

static void solution_facts(Buf *out, Session *session, const Value *v) {
  SolutionInfo info;
  if (!v->solution) return;
  session->host->api->solution_info(v->solution, &info);
  buf_printf(out, "\n  dofs        %ld\n  solver      %s: %s\n  iterations  %d", info.ndofs, info.solver ? info.solver : "?", info.why ? info.why : "", info.iterations);
  if (info.newton_iterations) buf_printf(out, "\n  newton      %d steps in all", info.newton_iterations);
  buf_printf(out, "\n  residual    %.2e\n  seconds     %.3f", info.residual, info.seconds);
  if (info.transient) buf_printf(out, "\n  states      %d, t = %g to %g by %s", info.nstates, info.times[0], info.times[info.nstates - 1], info.scheme ? info.scheme : "?");
}

static void run_info(Session *session, const char *argument) {
  Scope *scope = session->module->scope;
  Buf text = {0};
  for (int i = 0; !*argument && i < scope->n; i++) {
    buf_printf(&text, "  %-14s ", scope->slots[i].name);
    describe(&text, scope->slots[i].value);
    buf_puts(&text, scope->slots[i].value->stale ? "  (stale)\n" : "\n");
  }
  Slot *slot = *argument ? session_slot(session, argument) : NULL;
  if (*argument && !slot) complain(session, ":info alone lists the names", "this session has no name `%s`", argument);
  if (slot) {
    const Value *v = slot->value;
    if (v->kind == VALUE_PDE) pde_facts_print(&text, session->host, v->pde);
    else {
      value_print(&text, v);
      if (v->kind == VALUE_SOLUTION) solution_facts(&text, session, v);
      buf_putc(&text, '\n');
    }
    if (v->stale) buf_puts(&text, "stale: something it was made from has been redefined\n");
  }
  put(session, &text);
  buf_free(&text);
}

/* --- running --- */

static void run_time(Session *session, const char *argument) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  session_eval(session, argument, "<input>", true);
  clock_gettime(CLOCK_MONOTONIC, &b);
  Buf text = {0};
  buf_printf(&text, "%.4f s\n", (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec));
  if (session->host->engine && strstr(argument, "solve")) session->host->api->timings(session->host->engine, &text);
  if (text.text[text.len - 1] != '\n') buf_putc(&text, '\n');
  put(session, &text);
  buf_free(&text);
}

static void run_load(Session *session, const char *argument) {
  size_t len;
  char *text = command_read(session->host, argument, &len);
  if (text) session_eval(session, text, argument, false);
  free(text);
}

static void run_save(Session *session, const char *argument) {
  Buf text = {0};
  for (int i = 0; i < session->ninputs; i++) {
    buf_puts(&text, session->inputs[i]);
    if (text.len && text.text[text.len - 1] != '\n') buf_putc(&text, '\n');
  }
  if (!*argument) complain(session, "as in :save work.pde", ":save needs a file%s", "");
  else host_write_file(session->host, argument, &text, (Span){0, 0});
  buf_free(&text);
}

/* --- settings --- */

static bool truth(const char *value, bool *out) {
  bool on = !strcmp(value, "on") || !strcmp(value, "true"), off = !strcmp(value, "off") || !strcmp(value, "false");
  if (on || off) *out = on;
  return on || off;
}

static bool set_colour(Session *session, const char *value) { return truth(value, &session->host->colour); }
static bool set_time(Session *session, const char *value) { return truth(value, &session->show_time); }

static bool set_progress(Session *session, const char *value) {
  bool on;
  if (!truth(value, &on)) return false;
  session->host->quiet = !on;
  return true;
}

static bool set_columns(Session *session, const char *value) {
  int n = atoi(value);
  if (n < 20 || n > 1000) return false;
  session->host->columns = n;
  return true;
}

static bool set_out(Session *session, const char *value) {
  free(session->host->out_dir);
  session->host->out_dir = *value && strcmp(value, ".") ? strdup(value) : NULL;
  return true;
}

static bool set_jit(Session *session, const char *value) {
  static const char *const names[] = {"auto", "llvm", "interp"};
  static const JitChoice choices[] = {JIT_AUTO, JIT_LLVM, JIT_INTERP};
  for (int i = 0; i < 3 && !session->host->engine; i++)
    if (!strcmp(names[i], value)) {
      session->host->engine_options.jit = choices[i];
      return true;
    }
  return false;
}

static void show_bool(Buf *out, bool on) { buf_puts(out, on ? "on" : "off"); }
static void show_colour(Session *session, Buf *out) { show_bool(out, session->host->colour); }
static void show_time(Session *session, Buf *out) { show_bool(out, session->show_time); }
static void show_progress(Session *session, Buf *out) { show_bool(out, !session->host->quiet); }
static void show_columns(Session *session, Buf *out) { buf_printf(out, "%d", session->host->columns); }
static void show_out(Session *session, Buf *out) { buf_puts(out, session->host->out_dir ? session->host->out_dir : "."); }
static void show_jit(Session *session, Buf *out) {
  JitChoice jit = session->host->engine_options.jit;
  buf_puts(out, jit == JIT_LLVM ? "llvm" : jit == JIT_INTERP ? "interp" : "auto");
}

static const struct Setting {
  const char *name, *values, *doc;
  bool (*set)(Session *session, const char *value);
  void (*show)(Session *session, Buf *out);
} settings[] = {
  {"colour", "on or off", "colours of diagnostics and plots", set_colour, show_colour},
  {"columns", "20 to 1000", "width of plots in the terminal", set_columns, show_columns},
  {"jit", "auto, llvm or interp, before the first mesh or solve", "how kernels run", set_jit, show_jit},
  {"out", "a directory", "where files are written", set_out, show_out},
  {"progress", "on or off", "progress of solves", set_progress, show_progress},
  {"time", "on or off", "the time of every input", set_time, show_time},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static const struct Setting *find_setting(Session *session, const char *name, size_t n) {
  for (int i = 0; i < SETTINGS; i++)
    if (strlen(settings[i].name) == n && !strncmp(settings[i].name, name, n)) return &settings[i];
  Buf word = {0};
  buf_add(&word, name, n);
  complain(session, ":set alone lists the settings", "there is no setting `%s`", buf_str(&word));
  buf_free(&word);
  return NULL;
}

static void run_show(Session *session, const char *argument);

static void run_set(Session *session, const char *argument) {
  size_t n = strcspn(argument, " =");
  if (!*argument || !argument[n]) {       /* no value: what it is now */
    run_show(session, argument);
    return;
  }
  const char *value = argument + n + strspn(argument + n, " =");
  const struct Setting *setting = find_setting(session, argument, n);
  if (setting && !setting->set(session, value)) complain(session, setting->values, "`%s` cannot be set to that", setting->name);
}

static void run_show(Session *session, const char *argument) {
  Buf text = {0};
  const struct Setting *only = *argument ? find_setting(session, argument, strlen(argument)) : NULL;
  for (int i = 0; i < SETTINGS; i++) {
    if (*argument && only != &settings[i]) continue;
    Buf value = {0};
    settings[i].show(session, &value);
    buf_printf(&text, "  %-10s %-10s %s (%s)\n", settings[i].name, buf_str(&value), settings[i].doc, settings[i].values);
    buf_free(&value);
  }
  put(session, &text);
  buf_free(&text);
}

static void run_quit(Session *session, const char *argument) {
  (void)argument;
  session->leave = true;
}

const SessionCommand session_commands[] = {
  {"doc", "NAME", "documentation of a name, a file, a code", run_doc},
  {"help", "[NAME]", "this list", run_help},
  {"info", "[NAME]", "names of the session; what is known of a pde, mesh, solution", run_info},
  {"kernel", "PDE [ir|llvm|asm]", "the lowered form", run_kernel},
  {"latex", "PDE or EXPRESSION", "for a paper", run_latex},
  {"load", "FILE", "runs a script in this session", run_load},
  {"quit", "", "leaves", run_quit},
  {"save", "FILE", "writes what was entered without errors as a script", run_save},
  {"set", "[NAME [VALUE]]", "changes a setting; shows them without a value", run_set},
  {"show", "[NAME]", "shows settings", run_show},
  {"time", "STATEMENT", "runs it and says how long it took, by stages", run_time},
  {"type", "EXPRESSION", "kind, shape and unit, without computing", run_type},
  {"weak", "[PDE]", "the weak form, with its fluxes", run_weak},
  {NULL, NULL, NULL, NULL},
};

ExitStatus session_command(Session *session, const char *line) {
  Host *host = session->host;
  host_begin(host);
  const char *word = line + 1;
  size_t n = strcspn(word, " \t");
  const char *rest = word + n + strspn(word + n, " \t");
  char *argument = strdup(rest);
  for (size_t k = strlen(argument); k && isspace((unsigned char)argument[k - 1]);) argument[--k] = 0;
  const SessionCommand *found = NULL;
  Buf fits = {0};
  int count = 0;
  for (const SessionCommand *c = session_commands; c->name; c++) {
    if (strncmp(c->name, word, n)) continue;
    count++;
    found = c;
    buf_printf(&fits, "%s:%s", fits.len ? ", " : "", c->name);
    if (strlen(c->name) == n) {
      count = 1;
      break;
    }
  }
  if (n && count == 1) found->run(session, argument);
  else if (n && count > 1) complain(session, buf_str(&fits), "`%s` may mean several commands", line);
  else complain(session, ":help lists the commands", "`%s` is no command of the session", line);
  buf_free(&fits);
  free(argument);
  ExitStatus status = host_finish(host);
  if (status > session->worst) session->worst = status;
  return status;
}
