/* pde.h over the host. Engine calls of all hosts are serialised by one lock; it is recursive, because a callback may use another host. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "eval.h"
#include "limit.h"
#include "pde.h"

struct pde_value {
  Host *host;
  Value *value;
  struct pde_value *previous, *next;       /* of the host */
  NodalView *views; char **units;          /* by unknown, once asked for */
  int nviews;
};

static pthread_mutex_t lock;
static pthread_once_t lock_once = PTHREAD_ONCE_INIT;

static void make_lock(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &kind);
  pthread_mutexattr_destroy(&kind);
}

static void enter(void) {
  pthread_once(&lock_once, make_lock);
  pthread_mutex_lock(&lock);
}

static pde_status leave(ExitStatus status) {
  pthread_mutex_unlock(&lock);
  return (pde_status)status;
}

/* --- hosts --- */

pde_host *pde_open(const pde_options *options) {
  static const pde_options defaults;
  const pde_options *o = options ? options : &defaults;
  Host *host = host_new();
  if (!host) return NULL;
  const char *jit = getenv("PDE_JIT");
  JitChoice by_environment = jit && !strcmp(jit, "llvm") ? JIT_LLVM : jit && !strcmp(jit, "interp") ? JIT_INTERP : JIT_AUTO;
  host->engine_options.jit = o->jit == PDE_JIT_LLVM ? JIT_LLVM : o->jit == PDE_JIT_INTERP ? JIT_INTERP : by_environment;
  host->on_output = o->on_output;
  host->on_message = o->on_message;
  host->on_progress = o->on_progress;
  host->user = o->user;
  host->out_dir = o->out_dir ? strdup(o->out_dir) : NULL;
  host->engine_options.argc = o->argc;
  host->engine_options.argv = calloc((size_t)o->argc + 1, sizeof(char *));
  for (int i = 0; i < o->argc; i++) host->engine_options.argv[i] = strdup(o->argv[i]);
  return host;
}

static void free_views(pde_value *handle) {
  for (int i = 0; i < handle->nviews; i++) {
    free(handle->views[i].points);
    free(handle->views[i].own_values);
    free(handle->units[i]);
  }
  free(handle->views);
  free(handle->units);
}

void pde_release(pde_value *handle) {
  if (!handle) return;
  enter();
  if (handle->previous) handle->previous->next = handle->next;
  else handle->host->handles = handle->next;
  if (handle->next) handle->next->previous = handle->previous;
  free_views(handle);
  value_release(handle->value);
  free(handle);
  leave(EXIT_DONE);
}

void pde_close(pde_host *host) {
  if (!host) return;
  enter();
  while (host->handles) pde_release(host->handles);
  char **argv = host->engine_options.argv;
  int argc = host->engine_options.argc;
  free(host->text);
  host_free(host);
  for (int i = 0; i < argc; i++) free(argv[i]);
  free(argv);
  leave(EXIT_DONE);
}

void pde_interrupt(pde_host *host) { host->interrupt = 1; }
const char *pde_error(pde_host *host) { return host->error_text ? host->error_text : ""; }
const char *pde_version(void) { return PDE_VERSION; }

/* --- what a script is given --- */

static bool is_identifier(const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)s[i];
    bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    if (!(letter || c == '_' || c >= 0x80 || (i && c >= '0' && c <= '9'))) return false;
  }
  return n > 0;
}

enum { ARGUMENTS_MOST = 16 };

static const char *blanks(const char *s) { return s + strspn(s, " "); }

/* A word and the blanks after it; NULL: something else stands there. */
static const char *past(const char *s, const char *word) { return s && !strncmp(s, word, strlen(word)) ? blanks(s + strlen(word)) : NULL; }

/* "(y: real, t: real) ": the number of arguments; NULL: it is written otherwise. */
static const char *read_arguments(const char *s, int *n) {
  *n = 0;
  if (!(s = past(s, "("))) return NULL;
  do {
    size_t name = strcspn(s, " :,)");
    if (!is_identifier(s, name)) return NULL;
    s = blanks(s + name);
    if (*s == ':' && !(s = past(blanks(s + 1), "real"))) return NULL;
    ++*n;
  } while (*s == ',' && (s = blanks(s + 1)));
  return past(s, ")");
}

/* "-> real", "-> vector 2", "-> vector 3": the number of components, or 0. */
static int read_result(const char *s) {
  const char *after;
  if (!(s = past(s, "->"))) return 0;
  if ((after = past(s, "real")) && !*after) return 1;
  if (!(s = past(s, "vector"))) return 0;
  return (s[0] == '2' || s[0] == '3') && !*blanks(s + 1) ? s[0] - '0' : 0;
}

pde_status pde_define(pde_host *host, const char *name, const char *signature, pde_function call, void *user) {
  enter();
  host_begin(host);
  int n = 0;
  const char *result = read_arguments(blanks(signature), &n);
  int components = read_result(result);
  if (!is_identifier(name, strlen(name))) diag_report(&host->diags, E0960, (Span){0, 0}, "pde_define: `%s` is no name", name);
  else if (!components || n > ARGUMENTS_MOST || !call)
    diag_suggest(diag_report(&host->diags, E0960, (Span){0, 0}, call ? "pde_define(`%s`): the signature `%s` is not understood" : "pde_define(`%s`): there is no function for `%s`", name, signature),
                 "as in \"(y: real, t: real) -> real\" or \"-> vector 2\", with 1 to %d arguments", ARGUMENTS_MOST);
  else {
    HostFunction *f = (HostFunction *)host_function_find(host, name);
    if (!f) {
      host->functions = realloc(host->functions, (size_t)(host->nfunctions + 1) * sizeof *host->functions);
      f = &host->functions[host->nfunctions++];
      *f = (HostFunction){.name = intern_text(host->names, name)};
    }
    f->nargs = n;
    f->ncomponents = components;
    f->call = call;
    f->user = user;
  }
  return leave(host_finish(host));
}

pde_status pde_limit(pde_host *host, const pde_limits *limits) {
  enter();
  host_begin(host);
  limit_free(&host->limits);
  if (limits && !(limits->seconds >= 0)) diag_report(&host->diags, E0960, (Span){0, 0}, "pde_limit: %g seconds are no limit", limits->seconds);
  else if (limits) {
    host->limits = (Limits){.seconds = limits->seconds, .memory = limits->memory, .offline = limits->offline};
    if (limits->files) host->limits.files = *limits->files ? realpath(limits->files, NULL) : strdup("");
    if (limits->files && !host->limits.files) {
      diag_report(&host->diags, E0960, (Span){0, 0}, "pde_limit: there is no directory `%s`", limits->files);
      host->limits.files = strdup("");
    }
  }
  return leave(host_finish(host));
}

pde_status pde_set(pde_host *host, const char *param, double value) {
  enter();
  Name name = intern_text(host->names, param);
  Override *o = NULL;
  for (int i = 0; i < host->noverrides && !o; i++)
    if (host->overrides[i].name == name) o = &host->overrides[i];
  if (!o) {
    host->overrides = realloc(host->overrides, (size_t)(host->noverrides + 1) * sizeof *host->overrides);
    o = &host->overrides[host->noverrides++];
    *o = (Override){.name = name};
  }
  Buf text = {0};
  buf_number(&text, value);
  free(o->text);
  o->text = strdup(buf_str(&text));
  o->in_si = true;
  o->used = false;
  buf_free(&text);
  return leave(EXIT_DONE);
}

/* --- running --- */

static ExitStatus execute(pde_host *host, const char *text, size_t len, const char *path, bool check_only) {
  host_forget(host);
  host_begin(host);
  if (!host->handles) sources_clear(host->sources);     /* else a value may be a function of an earlier text */
  host->uses_units = false;
  host->nunits = 0;
  limit_begin(host);
  ExitStatus status = host_execute(host, host_load_text(host, text, len, path), check_only);
  limit_end(host);
  for (int i = 0; i < host->noverrides; i++) free(host->overrides[i].text);     /* of this run alone */
  host->noverrides = 0;
  return status;
}

pde_status pde_check_string(pde_host *host, const char *source, const char *path) {
  enter();
  return leave(execute(host, source, strlen(source), path ? path : "<string>", true));
}

pde_status pde_run_string(pde_host *host, const char *source, const char *path) {
  enter();
  return leave(execute(host, source, strlen(source), path ? path : "<string>", false));
}

pde_status pde_run_file(pde_host *host, const char *path) {
  enter();
  const char *why;
  host_begin(host);
  SourceMap *map = sources_new();
  const Source *source = map ? source_read(map, path, &why) : NULL;
  ExitStatus status;
  if (source) status = execute(host, source->text, source->len, path, false);
  else {
    diag_report(&host->diags, E0961, (Span){0, 0}, "`%s` cannot be read: %s", path, map ? why : "out of memory");
    status = host_finish(host);
  }
  if (map) sources_free(map);
  return leave(status);
}

/* --- results --- */

static Value *find(const pde_host *host, const char *name) {
  if (!host->nmodules || !host->modules[0]->scope) return NULL;     /* the script itself was loaded first */
  Scope *scope = host->modules[0]->scope;
  for (int i = 0; i < scope->n; i++)
    if (!strcmp(scope->slots[i].name, name)) return scope->slots[i].value;
  return NULL;
}

pde_value *pde_get(pde_host *host, const char *name) {
  enter();
  Value *value = find(host, name);
  pde_value *handle = value ? calloc(1, sizeof *handle) : NULL;
  if (handle) {
    *handle = (pde_value){.host = host, .value = value_retain(value), .next = host->handles};
    if (host->handles) host->handles->previous = handle;
    host->handles = handle;
  }
  leave(EXIT_DONE);
  return handle;
}

pde_status pde_number(pde_host *host, const char *name, double *out) {
  enter();
  Value *value = find(host, name);
  bool number = value && value->kind == VALUE_NUMBER;
  if (number) *out = value->number;
  else {
    host_begin(host);
    if (value) diag_report(&host->diags, E0505, (Span){0, 0}, "`%s` is %s %s, no number", name, value_article(value), value_kind_name(value));
    else diag_report(&host->diags, E0101, (Span){0, 0}, "the script that ran last has no name `%s`", name);
    host_finish(host);
  }
  return leave(number ? EXIT_DONE : EXIT_INPUT);
}

const char *pde_kind(const pde_value *handle) { return value_kind_name(handle->value); }

const char *pde_text(pde_host *host, const pde_value *handle) {
  enter();
  Buf text = {0};
  value_print(&text, handle->value);
  free(host->text);
  host->text = text.text;
  leave(EXIT_DONE);
  return host->text ? host->text : "";
}

static const Pde *pde_of(const Value *v) { return v->kind == VALUE_SOLUTION && v->solution && v->solution_pde ? v->solution_pde->pde->pde : NULL; }

static int find_unknown(const Pde *pde, const char *name) {
  for (int i = 0; pde && i < pde->nunknowns; i++)
    if (!strcmp(pde->unknowns[i].name, name)) return i;
  return -1;
}

static void view_unknown(pde_value *handle, const Pde *pde, int u) {
  if (!handle->views) {
    handle->nviews = pde->nunknowns;
    handle->views = calloc((size_t)pde->nunknowns, sizeof *handle->views);
    handle->units = calloc((size_t)pde->nunknowns, sizeof *handle->units);
  }
  if (handle->units[u]) return;
  Buf unit = {0};
  unit_print_short(&unit, pde->unknowns[u].unit);
  handle->units[u] = strdup(buf_str(&unit));
  buf_free(&unit);
  handle->host->api->nodal(handle->host->engine, handle->value->solution, u, &handle->views[u]);
}

pde_status pde_field(pde_value *handle, const char *unknown, pde_field_view *out) {
  Host *host = handle->host;
  enter();
  const Pde *pde = pde_of(handle->value);
  int u = find_unknown(pde, unknown);
  if (u < 0) {
    host_begin(host);
    if (!pde) diag_report(&host->diags, E0505, (Span){0, 0}, "%s %s has no unknowns; a solution is wanted", value_article(handle->value), value_kind_name(handle->value));
    else diag_report(&host->diags, E0111, (Span){0, 0}, "the solution of `%s` has no unknown `%s`", pde->name, unknown);
    return leave(host_finish(host));
  }
  view_unknown(handle, pde, u);
  const NodalView *view = &handle->views[u];
  *out = (pde_field_view){.nodes = (size_t)view->nodes, .dim = view->dim, .components = view->components, .points = view->points, .values = view->values,
                          .unit = handle->units[u], .time = view->time};
  return leave(EXIT_DONE);
}
