#include "repl_session.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"

static void keep_program(Session *session, Program *program) {
  session->programs = realloc(session->programs, (size_t)(session->nprograms + 1) * sizeof *session->programs);
  session->programs[session->nprograms++] = program;
}

Session *session_open(Host *host) {
  Session *session = calloc(1, sizeof *session);
  session->host = host;
  host->interactive = true;
  const Source *source = source_add(host->sources, "<session>", "", 0);
  Program *program = parse_program(source, host->names, &host->diags, NULL);
  session->module = module_retain(module_add(host, intern_text(host->names, "<session>"), program));
  session->module->scope = scope_new(SCOPE_FILE, NULL);
  session->module->state = MODULE_RUNNING;
  keep_program(session, program_retain(program));
  return session;
}

void session_close(Session *session) {
  host_forget(session->host);
  module_release(session->module);
  for (int i = 0; i < session->nprograms; i++) program_release(session->programs[i]);
  for (int i = 0; i < session->ninputs; i++) free(session->inputs[i]);
  free(session->programs);
  free(session->inputs);
  free(session->stale);
  free(session);
}

Slot *session_slot(Session *session, const char *name) {
  Scope *scope = session->module->scope;
  for (int i = 0; i < scope->n; i++)
    if (!strcmp(scope->slots[i].name, name)) return &scope->slots[i];
  return NULL;
}

static Program *parse(Session *session, const char *text, const char *path, Diags *diags, bool *incomplete) {
  const Source *source = source_add(session->host->sources, path, text, strlen(text));
  if (!source) diag_report(diags, E0001, (Span){0, 0}, "the session's texts are too large");
  return source ? parse_program(source, session->host->names, diags, incomplete) : NULL;
}

bool session_incomplete(Session *session, const char *text) {
  bool incomplete = false;
  Diags scratch = {.sources = session->host->sources};
  program_release(parse(session, text, "<input>", &scratch, &incomplete));
  diags_free(&scratch);
  return incomplete;
}

/* --- what a redefinition makes stale --- */

typedef struct Uses { const Name *names; int n; bool found; } Uses;

static bool look(const Ast *node, void *user) {
  Uses *uses = user;
  for (int i = 0; node->kind == AST_NAME && i < uses->n; i++) uses->found |= node->name == uses->names[i];
  return !uses->found;
}

static Name stale_cause(const Session *session, Name name) {
  for (int i = 0; i < session->nstale; i++)
    if (session->stale[i].name == name) return session->stale[i].cause;
  return NULL;
}

static void set_stale(Session *session, Name name, Name cause) {
  for (int i = 0; i < session->nstale; i++)
    if (session->stale[i].name == name) {
      session->stale[i].cause = cause;
      return;
    }
  session->stale = realloc(session->stale, (size_t)(session->nstale + 1) * sizeof *session->stale);
  session->stale[session->nstale].name = name;
  session->stale[session->nstale++].cause = cause;
}

static bool looks_up_late(const Value *v) { return v->kind == VALUE_FUNCTION || v->kind == VALUE_CONTRACT; }

static void say(Session *session, const char *format, const char *a, const char *b) {
  Buf note = {0};
  buf_printf(&note, format, a, b);
  if (session->host->on_message) session->host->on_message(session->host->user, DIAG_NOTE, buf_str(&note));
  buf_free(&note);
}

/* Everything made from `changed`, directly or not. A function looks its names up when it is called, so it is never stale itself. */
static void spread_stale(Session *session, Name changed) {
  Scope *scope = session->module->scope;
  Name *dirty = malloc((size_t)(scope->n + 1) * sizeof *dirty);
  bool *seen = calloc((size_t)scope->n + 1, sizeof *seen);
  Buf list = {0};
  int n = 0;
  dirty[n++] = changed;
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < scope->n; i++) {
      Slot *slot = &scope->slots[i];
      if (seen[i] || slot->name == changed || !slot->decl || slot->imported) continue;
      Uses uses = {dirty, n, false};
      ast_walk(slot->decl->kind == AST_ASSIGN ? slot->decl->kid[1] : slot->decl, look, &uses);
      if (!uses.found) continue;
      seen[i] = more = true;
      dirty[n++] = slot->name;
      if (looks_up_late(slot->value)) continue;
      slot->value->stale = true;
      set_stale(session, slot->name, changed);
      buf_printf(&list, "%s%s", list.len ? ", " : "", slot->name);
    }
  }
  if (list.len) say(session, "note: made before `%s` was redefined: %s\n", changed, buf_str(&list));
  buf_free(&list);
  free(dirty);
  free(seen);
}

/* --- evaluation --- */

static void show(Session *session, Value *v, bool echo) {
  if (v->kind == VALUE_NONE) return;
  Slot *slot = scope_set(session->module->scope, intern_text(session->host->names, "ans"), v, (Span){0, 0});
  slot->used = true;
  if (!echo) return;
  Buf text = {0};
  value_print(&text, v);
  buf_putc(&text, '\n');
  host_print(session->host, buf_str(&text), text.len);
  buf_free(&text);
}

/* Names that the statement gives a value, which had one before. */
static int redefined(Session *session, const Ast *node, Name *out, int max) {
  const Ast *target = node->kind == AST_ASSIGN ? node->kid[0] : NULL;
  int n = 0;
  for (int i = 0; target && target->kind == AST_TUPLE && i < target->n && n < max; i++)
    if (target->kid[i]->kind == AST_NAME && session_slot(session, target->kid[i]->name)) out[n++] = target->kid[i]->name;
  const char *name = node->kind == AST_ASSIGN || node->kind == AST_DECL ? doc_declared_name(node) : NULL;
  if (name && session_slot(session, name) && n < max) out[n++] = name;
  return n;
}

/* What is made from something stale is stale too. */
typedef struct Reads { Session *session; Name cause; } Reads;

static bool read_stale(const Ast *node, void *user) {
  Reads *reads = user;
  Slot *slot = node->kind == AST_NAME ? session_slot(reads->session, node->name) : NULL;
  if (!slot || !slot->value->stale || !stale_cause(reads->session, slot->name)) return true;
  reads->cause = stale_cause(reads->session, slot->name);
  say(reads->session, "note: `%s` was made before `%s` was redefined\n", slot->name, reads->cause);
  return true;
}

static bool run_statement(Session *session, Eval *ev, const Ast *node, bool echo) {
  Name names[32];
  int n = redefined(session, node, names, 32);
  Reads reads = {session, NULL};
  if (node->kind == AST_EXPR || node->kind == AST_ASSIGN) ast_walk(node->kind == AST_EXPR ? node : node->kid[1], read_stale, &reads);
  Value *shown = NULL;
  Flow flow = eval_statement(ev, node, &shown);
  if (shown) {
    show(session, shown, echo);
    value_release(shown);
  }
  const char *made = reads.cause && node->kind == AST_ASSIGN && flow != FLOW_STOP ? doc_declared_name(node) : NULL;
  Slot *slot = made ? session_slot(session, made) : NULL;
  for (int i = 0; i < n && flow != FLOW_STOP; i++) spread_stale(session, names[i]);
  if (slot) {
    slot->value->stale = true;
    set_stale(session, slot->name, reads.cause);
  }
  return flow != FLOW_STOP;
}

static bool silenced(const char *text) {
  size_t n = strlen(text);
  while (n && isspace((unsigned char)text[n - 1])) n--;
  return n && text[n - 1] == ';';
}

/* An input becomes the program of the module while it runs: functions retain it. */
static void enter_program(Session *session, Program *program) {
  keep_program(session, program_retain(program));
  program_release(session->module->program);
  session->module->program = program;
  if (program->uses_units) session->host->uses_units = true;
}

static void keep_input(Session *session, const char *text) {
  session->inputs = realloc(session->inputs, (size_t)(session->ninputs + 1) * sizeof *session->inputs);
  session->inputs[session->ninputs++] = strdup(text);
}

/* A line that only looks at a value (`a + 4`) is no statement of a file: a saved session leaves it out. */
static bool only_looks(const Ast *root) {
  for (int i = 0; i < root->n; i++)
    if (root->kid[i] && (root->kid[i]->kind != AST_EXPR || root->kid[i]->kid[0]->kind == AST_CALL)) return false;
  return true;
}

/* quit, exit and help, as other programs have them, unless the session gave the name a meaning. */
static const char *command_word(const Session *session, const char *text) {
  static const char *const words[][2] = {{"quit", ":quit"}, {"exit", ":quit"}, {"quit()", ":quit"}, {"exit()", ":quit"}, {"help", ":help"}, {"help()", ":help"}};
  size_t n = strcspn(text, " \t\r\n;"), rest = strspn(text + n, " \t\r\n;");
  for (size_t i = 0; i < sizeof words / sizeof *words && !text[n + rest]; i++)
    if (strlen(words[i][0]) == n && !strncmp(words[i][0], text, n) && !scope_find_own(session->module->scope, intern(session->host->names, text, strcspn(words[i][0], "(")))) return words[i][1];
  return NULL;
}

ExitStatus session_eval(Session *session, const char *text, const char *path, bool echo) {
  Host *host = session->host;
  const char *command = echo ? command_word(session, text) : NULL;
  if (command) return session_command(session, command);
  host_begin(host);
  Program *program = parse(session, text, path, &host->diags, NULL);
  bool keep = false;
  if (program && program->nerrors == 0) {
    keep = !only_looks(program->root);
    enter_program(session, program);
    Eval ev = {.host = host, .module = session->module, .scope = session->module->scope, .at_time = NAN};
    bool fine = true;
    for (int i = 0; fine && i < program->root->n && !host->interrupt; i++)
      if (program->root->kid[i]) fine = run_statement(session, &ev, program->root->kid[i], echo && !silenced(text));
    value_release(ev.returned);
  } else {
    program_release(program);
  }
  ExitStatus status = host_finish(host);
  if (status == EXIT_DONE && keep) keep_input(session, text);
  if (status > session->worst) session->worst = status;
  return status;
}

Value *session_value(Session *session, const char *text, bool dry) {
  Host *host = session->host;
  Program *program = parse(session, text, "<input>", &host->diags, NULL);
  const Ast *root = program && program->nerrors == 0 ? program->root : NULL;
  Value *v = NULL;
  if (program) keep_program(session, program);
  if (root && root->n == 1 && root->kid[0]->kind == AST_EXPR) {
    Eval ev = {.host = host, .module = session->module, .scope = session->module->scope, .dry = dry, .at_time = NAN};
    v = eval_expr(&ev, root->kid[0]->kid[0]);
  } else if (root) {
    diag_report(&host->diags, E0209, root->span, "an expression was expected");
  }
  if (v && is_poison(v)) {
    value_release(v);
    v = NULL;
  }
  return v;
}

char *session_strip_prompts(const char *line) {
  for (;;) {
    const char *s = line;
    while (*s == ' ') s++;
    if (!strncmp(s, SESSION_PROMPT, 5)) line = s + 5;
    else if (!strncmp(s, SESSION_MORE, 5)) line = s + 5;
    else if (!strcmp(s, "pde>") || !strcmp(s, "...>")) line = s + 4;
    else return strdup(line);
  }
}
