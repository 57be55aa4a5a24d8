/* Modules: where an import is found, and what of it runs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doc.h"
#include "eval.h"
#include "limit.h"
#include "stdlib_data.h"

/* --- finding --- */

static const StdlibFile *embedded(const char *name) {
  size_t n = strlen(name);
  if (n > 4 && !strcmp(name + n - 4, ".pde")) n -= 4;
  for (int i = 0; i < stdlib_count; i++)
    if (strlen(stdlib_files[i].path) == n && !strncmp(stdlib_files[i].path, name, n)) return &stdlib_files[i];
  return NULL;
}

static char *candidate(const char *dir, size_t dir_len, const char *name) {
  Buf path = {0};
  if (dir_len) {
    buf_add(&path, dir, dir_len);
    if (dir[dir_len - 1] != '/') buf_putc(&path, '/');
  }
  buf_puts(&path, name);
  size_t n = strlen(name);
  if (n < 4 || strcmp(name + n - 4, ".pde")) buf_puts(&path, ".pde");
  char *out = strdup(buf_str(&path));
  buf_free(&path);
  if (access(out, R_OK) == 0) return out;
  free(out);
  return NULL;
}

static char *find_file(const char *name, const Module *from) {
  if (name[0] == '/') return candidate("", 0, name);
  const char *base = from && from->program ? from->program->source->path : "";
  const char *slash = strrchr(base, '/');
  char *found = slash ? candidate(base, (size_t)(slash - base + 1), name) : candidate("", 0, name);
  const char *list = getenv("PDE_PATH");
  while (!found && list && *list) {
    size_t n = strcspn(list, ":");
    if (n) found = candidate(list, n, name);
    list += n + (list[n] == ':');
  }
  return found;
}

/* --- loading --- */

static void note_units(Host *host, Module *module);
static bool uses_units(const Ast *node, void *user);

static Module *known(Host *host, Name path) {
  for (int i = 0; i < host->nmodules; i++)
    if (host->modules[i]->path == path) return host->modules[i];
  return NULL;
}

Module *module_add(Host *host, Name path, Program *program) {
  Module *module = calloc(1, sizeof *module);
  module->refs = 1;
  module->path = path;
  module->program = program;
  host->modules = realloc(host->modules, (size_t)(host->nmodules + 1) * sizeof *host->modules);
  host->modules[host->nmodules++] = module;
  note_units(host, module);
  return module;
}

static void report_missing(Host *host, const char *name, Span span) {
  Name names[128];
  int n = 0;
  for (int i = 0; i < stdlib_count && n < 128; i++) names[n++] = stdlib_files[i].path;
  Diag *d = diag_report(&host->diags, E0107, span, "no file `%s` beside this one, on PDE_PATH or in the standard library", name);
  Name near = nearest_name(name, names, n);
  if (near) diag_suggest(d, "did you mean \"%s\"?", near);
  else diag_suggest(d, "the standard library has mechanics/, heat/, flow/, materials/, contracts/: see `pde doc stdlib`");
}

Module *module_load(Host *host, const char *name, const Module *from, Span span) {
  char *file = find_file(name, from);
  const StdlibFile *std = file ? NULL : embedded(name);
  if (!file && !std) {
    report_missing(host, name, span);
    return NULL;
  }
  Buf path = {0};
  if (file) buf_puts(&path, file);
  else buf_printf(&path, "<stdlib>/%s.pde", std->path);
  Name key = intern_text(host->names, buf_str(&path));
  Module *module = known(host, key);
  const char *why = NULL;
  if (!module && file && !host_may_read(host, file, span)) {
    buf_free(&path);
    free(file);
    return NULL;
  }
  if (!module) {
    const Source *source = file ? source_read(host->sources, file, &why) : source_add(host->sources, key, std->text, std->len);
    if (!source) diag_report(&host->diags, E0107, span, "`%s` cannot be read: %s", buf_str(&path), why ? why : "too large");
    Program *program = source ? parse_program(source, host->names, &host->diags, NULL) : NULL;
    if (program) module = module_add(host, key, program);
  }
  buf_free(&path);
  free(file);
  return module;
}

static bool has_unit(const Ast *phrase) {
  for (int i = 0; i < phrase->n; i++)
    if (phrase->kid[i]->kind == AST_INDEX) return true;
  return false;
}

/* Budgets (wall: 30 [s]) are no physics: they do not make a program one with units. */
static bool uses_units(const Ast *node, void *user) {
  if (node->kind == AST_DECL && (!strcmp(node->name, "policy") || !strcmp(node->name, "search") || !strcmp(node->name, "model"))) return false;
  bool literal = node->kind == AST_NUMBER && node->n && node->kid[0], shown = node->kind == AST_BINARY && node->op == OP_TO && node->kid[1]->kind == AST_LIST;
  bool declared = node->kind == AST_DECL && !strcmp(node->name, "unknown") && node->n > 1 && node->kid[1] && has_unit(node->kid[1]);
  if (literal || shown || declared) *(bool *)user = true;
  return true;
}

/* A program uses units as soon as one of its files does. */
static void note_units(Host *host, Module *module) {
  const Ast *root = module->program->root;
  bool units = false;
  if (root) ast_walk(root, uses_units, &units);
  if (units) host->uses_units = true;
  for (int i = 0; root && i < root->n; i++)
    if (root->kid[i] && root->kid[i]->kind == AST_IMPORT) {
      Diags scratch = {.sources = host->sources};
      Diags kept = host->diags;
      host->diags = scratch;
      module_load(host, root->kid[i]->text, module, root->kid[i]->span);   /* what fails is reported where the import runs */
      diags_free(&host->diags);
      host->diags = kept;
    }
}

Module *module_retain(Module *module) {
  module->refs++;
  return module;
}

void module_release(Module *module) {
  if (!module || --module->refs > 0) return;
  scope_release(module->scope);
  scope_release(module->dry_scope);
  program_release(module->program);
  free(module);
}

/* --- the prelude: contracts of the standard library are known without an import --- */

Value *prelude_name(Eval *ev, Name name) { return prelude_next(ev, name, &(int){0}); }

Value *prelude_next(Eval *ev, Name name, int *next) {
  static const char *const modules[] = {"contracts/solutions", "contracts/studies", "contracts/models", "contracts/general", "contracts/elasticity", "contracts/symmetry", "contracts/dynamics",
                                        "contracts/heat", "contracts/transport", "contracts/flow", "contracts/waves", "contracts/laws"};
  while (*next < (int)(sizeof modules / sizeof *modules)) {
    int i = (*next)++;
    if (!embedded(modules[i])) continue;
    Buf path = {0};
    buf_printf(&path, "<stdlib>/%s.pde", modules[i]);
    Module *module = known(ev->host, intern_text(ev->host->names, buf_str(&path)));
    buf_free(&path);
    if (!module) module = module_load(ev->host, modules[i], NULL, (Span){0, 0});
    if (!module || module == ev->module) continue;
    int *state = ev->dry ? (int *)&module->dry_state : (int *)&module->state;
    if (*state == MODULE_NEW) module_run(ev->host, module, ev->dry);
    Scope *scope = ev->dry ? module->dry_scope : module->scope;
    Slot *slot = scope && name[0] != '_' ? scope_find_own(scope, name) : NULL;
    if (slot && slot->value->kind == VALUE_CONTRACT) return value_retain(slot->value);
  }
  return NULL;
}

/* --- running: of an imported file only definitions run --- */

static bool is_definition(const Ast *s) {
  if (s->kind == AST_ASSIGN || s->kind == AST_IMPORT) return true;
  if (s->kind != AST_DECL) return false;
  return strcmp(s->name, "check") && strcmp(s->name, "audit") && strcmp(s->name, "test") && strcmp(s->name, "study");
}

/* --- what only the tests of a file use: its users need not pay for it, nor does it have to fit their units --- */

typedef struct Marks { const Ast *root; unsigned char *mark; unsigned char bit; } Marks;

static void mark(Marks *m, int at);

static bool mark_name(const Ast *node, void *user) {
  Marks *m = user;
  if (node->kind == AST_NAME && node->name && node->name[0] == '_')
    for (int i = 0; i < m->root->n; i++)
      if (m->root->kid[i] && doc_declared_name(m->root->kid[i]) == node->name) mark(m, i);
  return true;
}

static void mark(Marks *m, int at) {
  if (m->mark[at] & m->bit) return;
  m->mark[at] |= m->bit;
  ast_walk(m->root->kid[at], mark_name, m);
}

enum { FOR_TESTS = 1, FOR_USERS = 2 };

/* Of each statement, whether a test or something public reaches it; owned. */
static unsigned char *marks_of(const Ast *root) {
  unsigned char *marks = calloc((size_t)(root ? root->n : 0) + 1, 1);
  for (int i = 0; root && i < root->n; i++) {
    const Ast *s = root->kid[i];
    if (!s) continue;
    const char *name = doc_declared_name(s);
    bool test = s->kind == AST_DECL && !strcmp(s->name, "test");
    Marks m = {root, marks, test ? FOR_TESTS : FOR_USERS};
    if (test || (is_definition(s) && (!name || name[0] != '_'))) mark(&m, i);
  }
  return marks;
}

ExitStatus module_run(Host *host, Module *module, bool dry) {
  Scope **scope = dry ? &module->dry_scope : &module->scope;
  int *state = dry ? (int *)&module->dry_state : (int *)&module->state;
  if (!*scope) *scope = scope_new(SCOPE_FILE, NULL);
  *state = MODULE_RUNNING;
  int before = host->diags.nerrors;
  Eval ev = {.host = host, .module = module, .scope = *scope, .dry = dry, .at_time = __builtin_nan("")};
  const Ast *root = module->program->root;
  unsigned char *marks = marks_of(root);
  for (int i = 0; root && i < root->n; i++) {
    if (!root->kid[i] || !is_definition(root->kid[i]) || marks[i] == FOR_TESTS) continue;
    if (eval_statement(&ev, root->kid[i], NULL) == FLOW_STOP && !dry) break;
  }
  free(marks);
  *state = host->diags.nerrors > before ? MODULE_FAILED : MODULE_READY;
  return diags_status(&host->diags);
}
