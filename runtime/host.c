/* The host: what one embedding owns, and the way of a script through it: parse, check as a whole, run. */
#include "host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../numerics/atomic.h"
#include "builtin.h"
#include "declared.h"
#include "eval.h"
#include "limit.h"
#include "pde_value.h"
#include "record.h"
#include "verdict.h"

Host *host_new(void) {
  Host *host = calloc(1, sizeof *host);
  if (!host) return NULL;
  host->names = interner_new();
  host->sources = sources_new();
  host->pool = host->names ? expr_pool_new(host->names) : NULL;
  host->diags.sources = host->sources;
  host->next_serial = UINT32_MAX;
  if (host->names && host->sources && host->pool) return host;
  host_free(host);
  return NULL;
}

static void clear_results(Host *host) {
  for (int i = 0; i < host->nprinted; i++) {
    free(host->printed[i].text);
    free(host->printed[i].json);
  }
  for (int i = 0; i < host->nverdicts; i++) verdict_clear(&host->verdicts[i]);
  for (int i = 0; i < host->nfiles; i++) free(host->files[i]);
  host->nprinted = host->nverdicts = host->nfiles = 0;
  host->contract_failed = host->assert_failed = false;
}

/* Scopes hold values that hold scopes: slots are emptied first, then the shells go. */
static void empty_scope(Scope *scope) {
  if (!scope) return;
  for (int i = 0; i < scope->n; i++) {
    Value *v = scope->slots[i].value;
    scope->slots[i].value = NULL;
    value_release(v);
  }
  scope->n = 0;
}

void host_forget(Host *host) {
  declared_forget(host);
  for (int i = 0; i < host->nrecorded; i++) value_release(host->recorded[i].value);
  free(host->recorded);
  host->recorded = NULL;
  host->nrecorded = 0;
  for (int i = 0; i < host->npinned; i++) scope_retain(host->pinned[i]);
  for (int i = 0; i < host->nmodules; i++) {
    empty_scope(host->modules[i]->scope);
    empty_scope(host->modules[i]->dry_scope);
  }
  for (int i = 0; i < host->npinned; i++) empty_scope(host->pinned[i]);
  for (int i = 0; i < host->npinned; i++) {
    scope_release(host->pinned[i]);
    scope_release(host->pinned[i]);
  }
  for (int i = 0; i < host->nmodules; i++) module_release(host->modules[i]);
  free(host->pinned);
  free(host->modules);
  host->pinned = NULL;
  host->modules = NULL;
  host->npinned = host->nmodules = 0;
  host->next_serial = UINT32_MAX;      /* nothing is left of what was only checked */
}

void host_free(Host *host) {
  if (!host) return;
  clear_results(host);
  host_forget(host);
  record_settle(host);
  store_close(host->record);
  if (host->engine) host->api->close(host->engine);
  builtins_free(host);
  free(host->printed);
  free(host->verdicts);
  free(host->files);
  for (int i = 0; i < host->noverrides; i++) free(host->overrides[i].text);
  free(host->overrides);
  free(host->unit_names);
  free(host->units);
  free(host->functions);
  free(host->out_dir);
  free(host->record_dir);
  free(host->run_dir);
  limit_free(&host->limits);
  free(host->error_text);
  diags_free(&host->diags);
  if (host->pool) expr_pool_free(host->pool);
  sources_free(host->sources);
  interner_free(host->names);
  free(host);
}

void host_pin(Host *host, Scope *scope) {
  for (int i = 0; i < host->npinned; i++)
    if (host->pinned[i] == scope) return;
  host->pinned = realloc(host->pinned, (size_t)(host->npinned + 1) * sizeof *host->pinned);
  host->pinned[host->npinned++] = scope_retain(scope);
}

/* --- output --- */

bool host_stopped(Host *host, Span span) {
  record_tick(host);
  if (!host->interrupt) return false;
  for (int i = 0; i < host->diags.n; i++)
    if (host->diags.items[i]->code == E2090) return true;
  diag_report(&host->diags, E2090, span, "stopped before this");
  return true;
}

void host_print(Host *host, const char *text, size_t len) {
  if (record_holds(host, text, len)) return;
  if (host->on_output && len && host_is_first_rank(host)) host->on_output(host->user, text, len);
}

void host_flush_diags(Host *host) {
  limit_explain(host);
  record_settle(host);
  for (; host->shown_diags < host->diags.n; host->shown_diags++) {
    const Diag *d = host->diags.items[host->shown_diags];
    record_diag(host, d);
    record_settle(host);
    if (!host->on_message || !host_is_first_rank(host)) continue;
    Buf text = {0};
    diag_print(&text, host->sources, d, host->colour);
    host->on_message(host->user, d->severity, buf_str(&text));
    buf_free(&text);
  }
}

/* The place of a file that a script names, before anybody asks whether it may. */
static char *under_out(const Host *host, const char *path) {
  if (!host->out_dir || path[0] == '/') return strdup(path);
  Buf out = {0};
  buf_printf(&out, "%s/%s", host->out_dir, path);
  char *text = strdup(buf_str(&out));
  buf_free(&out);
  return text;
}

static bool is_named(Host *host, const char *path, Span span) {
  if (*path) return true;
  diag_report(&host->diags, E0506, span, "a file has a name; this text is empty");
  return false;
}

char *host_output_path(Host *host, const char *path, Span span) {
  if (!is_named(host, path, span)) return NULL;
  char *out = under_out(host, path);
  if (host_may_write(host, out, span)) return out;
  free(out);
  return NULL;
}

char *host_input_path(Eval *ev, const char *path, Span span) {
  if (!is_named(ev->host, path, span)) return NULL;
  const char *base = ev->module->program ? ev->module->program->source->path : "", *slash = strrchr(base, '/');
  Buf out = {0};
  if (path[0] != '/' && slash) {
    buf_add(&out, base, (size_t)(slash - base + 1));
    buf_puts(&out, path);
    FILE *beside = fopen(buf_str(&out), "rb");
    if (beside) fclose(beside);
    else buf_clear(&out);
  }
  if (!out.len) {      /* else where pde was started, or among what the run itself wrote (--out) */
    char *written = access(path, R_OK) ? under_out(ev->host, path) : NULL;
    buf_puts(&out, written && !access(written, R_OK) ? written : path);
    free(written);
  }
  char *text = host_may_read(ev->host, buf_str(&out), span) ? strdup(buf_str(&out)) : NULL;
  buf_free(&out);
  if (!ev->dry && text) record_data(ev->host, text);
  return text;
}

bool host_write_file(Host *host, const char *path, const Buf *text, Span span) {
  host->phase = PHASE_WRITING;
  Status status = atomic_write(path, buf_str(text), text->len, &host->diags, span);
  host->phase = PHASE_FREE;
  return !status;
}

void host_record_file(Host *host, const char *path) {
  host->files = realloc(host->files, (size_t)(host->nfiles + 1) * sizeof *host->files);
  host->files[host->nfiles++] = strdup(path);
  record_file(host, path);
}

void host_note_printed(Host *host, struct Call *call) {
  if (!host->json && !host->record) return;
  for (int i = 0; i < call->nrest; i++) {
    Buf text = {0};
    value_print(&text, call->rest[i]);
    Name name = value_source_name(call->ev, call->rest_spans[i]);
    char *json = value_json(call->rest[i]);
    record_printed(host, name, call->rest[i], buf_str(&text), json);
    if (host->json) {
      host->printed = realloc(host->printed, (size_t)(host->nprinted + 1) * sizeof *host->printed);
      host->printed[host->nprinted++] = (Printed){name, strdup(buf_str(&text)), json};
    } else free(json);
    buf_free(&text);
  }
}

/* --- own units, functions of the embedding program --- */

void host_add_unit(Host *host, Name name, UnitScale scale) {
  for (int i = 0; i < host->nunits; i++)
    if (host->unit_names[i] == name) {
      host->units[i] = scale;
      return;
    }
  host->unit_names = realloc(host->unit_names, (size_t)(host->nunits + 1) * sizeof *host->unit_names);
  host->units = realloc(host->units, (size_t)(host->nunits + 1) * sizeof *host->units);
  host->unit_names[host->nunits] = name;
  host->units[host->nunits++] = scale;
}

bool host_own_unit(const Host *host, Name name, UnitScale *out) {
  for (int i = 0; i < host->nunits; i++)
    if (host->unit_names[i] == name) {
      *out = host->units[i];
      return true;
    }
  return false;
}

const HostFunction *host_function_find(const Host *host, const char *name) {
  for (int i = 0; i < host->nfunctions; i++)
    if (!strcmp(host->functions[i].name, name)) return &host->functions[i];
  return NULL;
}

/* --- text as expressions, stored pdes --- */

Value *host_eval_text(Eval *ev, const char *text, const char *origin) {
  const Source *source = source_add(ev->host->sources, origin, text, strlen(text));
  Program *program = source ? parse_program(source, ev->host->names, &ev->host->diags, NULL) : NULL;
  const Ast *root = program ? program->root : NULL;
  Value *v = NULL;
  if (root && root->n == 1 && root->kid[0] && root->kid[0]->kind == AST_EXPR) v = eval_expr(ev, root->kid[0]->kid[0]);
  else if (root && !ev->host->diags.nerrors) diag_report(&ev->host->diags, E0209, (Span){source->base, source->base + source->len}, "a value was expected");
  program_release(program);
  return v ? v : value_poison();
}

Value *host_rebuild_pde(Eval *ev, const char *text, Span span) {
  Host *host = ev->host;
  const char *end = strchr(text, '\n'), *script = strstr(text, "\n\n");
  if (!end || !script) {
    diag_report(&host->diags, E0519, span, "the file does not hold the pde of its solution");
    return NULL;
  }
  Name name = intern(host->names, text, (size_t)(end - text));
  const Source *source = source_add(host->sources, "<stored script>", script + 2, strlen(script + 2));
  Program *program = source ? parse_program(source, host->names, &host->diags, NULL) : NULL;
  if (!program) return NULL;
  Module *module = module_add(host, intern_text(host->names, "<stored script>"), program);
  module_run(host, module, true);
  Slot *slot = module->dry_scope ? scope_find_own(module->dry_scope, name) : NULL;
  if (!slot || slot->value->kind != VALUE_PDE || slot->value->pde->failed) {
    diag_report(&host->diags, E0519, span, "the pde `%s` of the stored solution cannot be rebuilt", name);
    return NULL;
  }
  Value *pde = value_retain(slot->value);
  for (const char *line = end + 1; line < script + 1; line = strchr(line, '\n') + 1) {     /* name=value */
    const char *eq = strchr(line, '='), *stop = strchr(line, '\n');
    if (!eq || eq > stop) continue;
    Name param = intern(host->names, line, (size_t)(eq - line));
    for (int i = 0; i < pde->pde->nbindings; i++)
      if (pde->pde->bindings[i].name == param) pde->pde->bindings[i].value = expr_const(host->pool, strtod(eq + 1, NULL), pde->pde->bindings[i].value->unit);
  }
  return pde;
}

/* --- the way of a script --- */

void host_begin(Host *host) {
  diags_clear(&host->diags);
  host->shown_diags = 0;
  host->interrupt = 0;
  host->limits.hit = LIMIT_NONE;
  clear_results(host);
  free(host->error_text);
  host->error_text = NULL;
}

ExitStatus host_finish(Host *host) {
  host_stopped(host, (Span){0, 0});
  host_flush_diags(host);
  Buf text = {0};
  for (int i = 0; i < host->diags.n; i++) diag_print(&text, host->sources, host->diags.items[i], false);
  if (host->diags.dropped) buf_printf(&text, "(%d more)\n", host->diags.dropped);
  free(host->error_text);
  host->error_text = text.len ? strdup(buf_str(&text)) : NULL;
  buf_free(&text);
  ExitStatus status = diags_status(&host->diags);
  if (host->interrupt) return host->limits.hit ? EXIT_BUDGET : EXIT_INTERRUPT;
  if (status == EXIT_DONE && (host->contract_failed || host->assert_failed || host->tests_failed)) return EXIT_CONTRACT;
  return status;
}

static void unused_overrides(Host *host) {
  for (int i = 0; i < host->noverrides; i++) {
    if (host->overrides[i].used) continue;
    Name names[128];
    int n = 0;
    for (int m = 0; m < host->nmodules; m++) {
      Scope *scope = host->modules[m]->dry_scope;
      for (int k = 0; scope && k < scope->n && n < 128; k++)
        if (scope->slots[k].is_param) names[n++] = scope->slots[k].name;
    }
    Diag *d = diag_report(&host->diags, E0520, (Span){0, 0}, "-D %s=...: the script has no param `%s`", host->overrides[i].name, host->overrides[i].name);
    Name near = nearest_name(host->overrides[i].name, names, n);
    if (near) diag_suggest(d, "did you mean `%s`?", near);
    else diag_suggest(d, "declare it: param %s = ...", host->overrides[i].name);
  }
}

/* The whole script dry: every statement, every branch, then functions nobody called. */
static void check_module(Host *host, Module *module) {
  module->dry_scope = scope_new(SCOPE_FILE, NULL);
  module->dry_state = MODULE_RUNNING;
  Eval ev = {.host = host, .module = module, .scope = module->dry_scope, .dry = true, .at_time = NAN};
  eval_block(&ev, module->program->root);
  eval_check_functions(&ev, module->dry_scope);
  if (!host->diags.nerrors) pde_check_unused(&ev, module->dry_scope);
  value_release(ev.returned);
  module->dry_state = MODULE_READY;
  unused_overrides(host);
}

static void run_module(Host *host, Module *module) {
  module->scope = scope_new(SCOPE_FILE, NULL);
  module->state = MODULE_RUNNING;
  Eval ev = {.host = host, .module = module, .scope = module->scope, .at_time = NAN};
  eval_block(&ev, module->program->root);
  value_release(ev.returned);
  module->state = MODULE_READY;
}

Module *host_load_text(Host *host, const char *text, size_t len, const char *path) {
  const Source *source = source_add(host->sources, path, text, len);
  if (!source) {
    diag_report(&host->diags, E0001, (Span){0, 0}, "`%s` is too large", path);
    return NULL;
  }
  Program *program = parse_program(source, host->names, &host->diags, NULL);
  if (!program) return NULL;
  if (host->diags.nerrors) {     /* what does not parse is not checked: the names of lost lines would all be missed */
    program_release(program);
    return NULL;
  }
  return module_add(host, intern_text(host->names, path), program);
}

/* A record is wanted, or the views of the script need one. */
static bool start_record(Host *host, const Module *module, const char *dir) {
  return !record_start(host, dir, host->command ? host->command : "run", module ? module->program->source : NULL);
}

static void run_recorded(Host *host, Module *module) {
  if (host->has_views && !host->record && !host->record_dir && !start_record(host, module, NULL)) return;
  run_module(host, module);
  if (host->record_dir) record_names(host, module->scope, true);
}

ExitStatus host_execute(Host *host, Module *module, bool check_only) {
  bool ready = check_only || !host->record_dir || !module || start_record(host, module, host->record_dir);     /* of a file that is not there nothing is kept */
  host->has_views = false;
  if (module && ready) {
    host->checking_only = check_only;
    check_module(host, module);
    host_flush_diags(host);
    if (!check_only && !host->diags.nerrors) run_recorded(host, module);
  }
  ExitStatus status = host_finish(host);
  if (!host->record) return status;
  record_finish(host, status);
  return host_finish(host);
}
