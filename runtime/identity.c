#include "identity.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../lang/sha256.h"

/* --- the digest --- */

typedef struct Names { Name *items; int n; } Names;

/* Serial numbers of solutions count what came before in this process. */
static Expr *without_serial(ExprPool *pool, Expr *leaf, void *user) {
  Names *params = user;
  if (leaf->op == EXPR_PARAM) {
    bool there = false;
    for (int i = 0; i < params->n && !there; i++) there = params->items[i] == leaf->name;
    if (there) return leaf;
    params->items = realloc(params->items, (size_t)(params->n + 1) * sizeof *params->items);
    params->items[params->n++] = leaf->name;
  }
  if (leaf->op != EXPR_SYMBOL || leaf->symbol.kind != SYMBOL_FIELD) return leaf;
  Symbol s = leaf->symbol;
  s.serial = 0;
  return expr_symbol(pool, s, leaf->name, leaf->shape, leaf->unit);
}

static void put_expr(Buf *text, const Pde *pde, Expr *e, Names *params) {
  char id[65] = "-";
  Expr *plain = e ? expr_substitute(pde->pool, e, without_serial, params) : NULL;
  if (plain) expr_id(plain, id);
  buf_printf(text, " %s", id);
}

static void put_where(Buf *text, const Where *where) {
  buf_printf(text, " on%s%s%s", where->all ? " all" : "", where->others ? " others" : "", where->interior ? " interior" : "");
  for (int i = 0; i < where->n; i++) buf_printf(text, " %s", where->names[i]);
  for (int i = 0; i < 2; i++)
    if (where->interface[i]) buf_printf(text, " %s", where->interface[i]);
  for (int i = 0; i < 3 && where->is_point; i++) {
    buf_putc(text, ' ');
    buf_number(text, where->point[i]);
  }
}

static void put_pde(Buf *text, const Pde *pde, Names *params) {
  buf_printf(text, "%s %d%s\n", pde->name, pde->dim, pde->stabilize ? " supg" : "");
  for (int i = 0; i < pde->nunknowns; i++) {
    buf_printf(text, "%s %s ", pde->unknowns[i].name, pde->unknowns[i].element);
    shape_print(text, pde->unknowns[i].shape);
    buf_putc(text, '\n');
  }
  for (int i = 0; i < pde->nequations; i++) {
    buf_printf(text, "equation %d", pde->equations[i].unknown);
    put_expr(text, pde, pde->equations[i].left, params), put_expr(text, pde, pde->equations[i].right, params);
  }
  for (int i = 0; i < pde->nweak; i++) {
    buf_printf(text, "\nweak %g %d %d", pde->weak[i].sign, pde->weak[i].on_cells, pde->weak[i].degree);
    put_expr(text, pde, pde->weak[i].integrand, params);
    put_where(text, &pde->weak[i].where);
  }
  for (int i = 0; i < pde->nconditions; i++) {
    const Condition *c = &pde->conditions[i];
    buf_printf(text, "\ncondition %d %d %d", c->kind, c->unknown, c->component);
    put_expr(text, pde, c->value, params), put_expr(text, pde, c->left, params), put_expr(text, pde, c->right, params);
    put_where(text, &c->where);
  }
  for (int i = 0; i < pde->ninitials; i++) {
    buf_printf(text, "\ninitially %d %d %d", pde->initials[i].unknown, pde->initials[i].component, pde->initials[i].dt);
    put_expr(text, pde, pde->initials[i].value, params);
  }
  for (int i = 0; i < pde->nconstraints; i++) {
    buf_puts(text, "\nconstraint");
    put_expr(text, pde, pde->constraints[i].left, params), put_expr(text, pde, pde->constraints[i].right, params);
  }
  for (int i = 0; i < pde->nperiodics; i++) {
    buf_puts(text, "\nperiodic");
    put_where(text, &pde->periodics[i].from), put_where(text, &pde->periodics[i].to);
  }
}

/* --- the lines --- */

static int by_name(const void *a, const void *b) { return strcmp(*(const Name *)a, *(const Name *)b); }

static void put_params(Buf *out, const World *world, const Names *params) {
  for (int i = 0; i < params->n; i++)
    for (int k = 0; k < world->nparams; k++) {
      if (world->params[k].name != params->items[i]) continue;
      double x;
      char id[65];
      buf_printf(out, "%s=", params->items[i]);
      if (expr_is_const(world->params[k].value, &x)) buf_number(out, x);
      else expr_id(world->params[k].value, id), buf_puts(out, id);
      buf_putc(out, '\n');
      break;
    }
}

/* As it was written, with its blanks left out. */
static void put_text(Buf *out, const Eval *ev, Span span) {
  const Source *source = source_of(ev->host->sources, span);
  const char *text = source ? source->text + (span.start - source->base) : "";
  for (uint32_t i = 0; source && i < span.end - span.start; i++)
    if (!isspace((unsigned char)text[i])) buf_putc(out, text[i]);
}

void identity_print(Buf *out, Eval *ev, const PdeValue *p, const Mesh *mesh, const Ast *record) {
  Names params = {0};
  Buf text = {0};
  char hex[65];
  put_pde(&text, p->pde, &params);
  sha256_hex(buf_str(&text), text.len, hex);
  buf_printf(out, "@pde=%s\n", hex);
  if (params.n) qsort(params.items, (size_t)params.n, sizeof *params.items, by_name);
  WorldBuffers w;
  solve_world(ev, p, &w);
  put_params(out, &w.world, &params);
  world_close(&w);
  if (mesh) buf_printf(out, "@mesh=%ld cells\n", mesh->global_cells);
  if (record) {
    buf_puts(out, "@record=");
    put_text(out, ev, record->span);
    buf_putc(out, '\n');
  }
  free(params.items);
  buf_free(&text);
}

/* --- comparison --- */

/* The value of a name, as long as *n; NULL: there is none. */
static const char *value_of(const char *lines, const char *name, size_t length, size_t *n) {
  for (const char *line = lines; *line && *line != '\n'; line += strcspn(line, "\n"), line += *line == '\n')
    if (!strncmp(line, name, length) && line[length] == '=') {
      *n = strcspn(line + length + 1, "\n");
      return line + length + 1;
    }
  return NULL;
}

static bool same(const char *a, size_t n, const char *b, size_t m) { return a && b && n == m && !memcmp(a, b, n); }

bool identity_differs(Buf *out, const char *before, const char *now) {
  size_t n, m;
  const char *a = value_of(before, "@pde", 4, &n), *b = value_of(now, "@pde", 4, &m);
  if (!same(a, n, b, m)) {
    buf_puts(out, "it is of another pde than this one, or of this one before it was changed");
    return true;
  }
  for (const char *line = now; *line && *line != '\n'; line += strcspn(line, "\n"), line += *line == '\n') {
    size_t length = strcspn(line, "=");
    b = value_of(now, line, length, &m), a = value_of(before, line, length, &n);
    if (same(a, n, b, m)) continue;
    if (!strncmp(line, "@record", length)) buf_puts(out, "it is of a run that recorded something else");
    else if (!strncmp(line, "@mesh", length)) buf_printf(out, "its mesh has %.*s, this one %.*s", a ? (int)n : 1, a ? a : "?", (int)m, b);
    else buf_printf(out, "with it, `%.*s` was %.*s; now it is %.*s", (int)length, line, a ? (int)n : 7, a ? a : "not set", (int)m, b);
    return true;
  }
  a = value_of(before, "@record", 7, &n), b = value_of(now, "@record", 7, &m);
  if (!a || b) return false;
  buf_puts(out, "it is of a run that recorded something, this one records nothing");
  return true;
}
