#include "formula_split.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a node depends on: one byte a node, by its id ----------------------------------------------------------------------------------------- */

enum { SEEN = 128 };

typedef struct Nodes { Expr **item; int n, cap; uint8_t *by; } Nodes;

static void push(Nodes *nodes, Expr *e) {
  if (nodes->by[e->id] & SEEN) return;
  nodes->by[e->id] = SEEN;
  if (nodes->n == nodes->cap) nodes->item = realloc(nodes->item, sizeof(Expr *) * (size_t)(nodes->cap = nodes->cap ? 2 * nodes->cap : 64));
  nodes->item[nodes->n++] = e;
}

static int by_id(const void *a, const void *b) {
  uint32_t x = (*(Expr *const *)a)->id, y = (*(Expr *const *)b)->id;
  return x < y ? -1 : x > y;
}

static unsigned leaf_by(Expr *e, bool (*is_input)(Expr *, void *), void *user) {
  switch (e->op) {
    case EXPR_COORD: case EXPR_SIZE: case EXPR_NORMAL_COMPONENT: return BY_PLACE;
    case EXPR_TERM: return BY_PLACE | BY_TIME;
    case EXPR_TIME: return BY_TIME;
    case EXPR_PARAM: return is_input(e, user) ? BY_INPUT : 0;
    case EXPR_REGIONS: return BY_PLACE;
    case EXPR_HOSTCALL: return BY_PLACE | BY_TIME;
    default: return 0;
  }
}

static void classify(Nodes *nodes, Expr *const *exprs, int n, bool (*is_input)(Expr *, void *), bool (*in_time)(Expr *, void *), void *user) {
  uint32_t most = 0;
  for (int i = 0; i < n; i++) most = exprs[i]->id > most ? exprs[i]->id : most;
  nodes->by = calloc((size_t)most + 1, 1);
  for (int i = 0; i < n; i++) push(nodes, exprs[i]);
  for (int i = 0; i < nodes->n; i++)
    for (int k = 0; k < nodes->item[i]->n; k++) push(nodes, nodes->item[i]->arg[k]);
  qsort(nodes->item, (size_t)nodes->n, sizeof *nodes->item, by_id);      /* arguments come first */
  for (int i = 0; i < nodes->n; i++) {
    Expr *e = nodes->item[i];
    unsigned by = SEEN | leaf_by(e, is_input, user);
    if (e->op == EXPR_PARAM && is_input(e, user) && in_time(e, user)) by |= BY_TIME;
    for (int k = 0; k < e->n; k++) by |= nodes->by[e->arg[k]->id];
    nodes->by[e->id] = (uint8_t)by;
  }
}

/* ---- parts ------------------------------------------------------------------------------------------------------------------------------------------ */

int parts_find(const Parts *parts, Name name) {
  for (int k = 0; k < parts->n; k++)
    if (parts->name[k] == name) return k;
  return -1;
}

static void add_part(Parts *parts, Interner *names, const char *kind, Expr *e) {
  char text[48];
  for (int k = 0; k < parts->n; k++)
    if (parts->item[k] == e) return;
  parts->item = realloc(parts->item, sizeof(Expr *) * (size_t)(parts->n + 1));
  parts->name = realloc(parts->name, sizeof(Name) * (size_t)(parts->n + 1));
  snprintf(text, sizeof text, "%s#%d", kind, parts->n);
  parts->item[parts->n] = e;
  parts->name[parts->n++] = intern_text(names, text);
}

static bool is_mixed(unsigned by, bool rows_in_time) { return by & BY_PLACE && (by & BY_INPUT || (by & BY_TIME && !rows_in_time)); }

static void take_part(Split *split, Interner *names, unsigned by, Expr *e) {
  if (!e->n && e->op != EXPR_HOSTCALL) return;      /* a leaf stays */
  if (by & BY_PLACE) add_part(by & BY_TIME ? &split->timed_rows : &split->rows, names, by & BY_TIME ? "timed row" : "row", e);
  else if (by & (BY_INPUT | BY_TIME)) add_part(by & BY_TIME ? &split->timed_numbers : &split->numbers, names, by & BY_TIME ? "timed number" : "number", e);
}

/* All at once: a part may stand inside of another one. */
static void name_parts(ExprPool *pool, Expr *const *exprs, Split *split) {
  const Parts *all[] = {&split->rows, &split->timed_rows, &split->numbers, &split->timed_numbers};
  int n = 0;
  for (int k = 0; k < 4; k++) n += all[k]->n;
  Expr **item = malloc(sizeof(Expr *) * ((size_t)n + 1));
  Name *name = malloc(sizeof(Name) * ((size_t)n + 1));
  n = 0;
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < all[k]->n; i++) item[n] = all[k]->item[i], name[n++] = all[k]->name[i];
  for (int i = 0; i < split->n; i++) split->joined[i] = n ? expr_name_parts(pool, exprs[i], item, name, n) : exprs[i];
  free(item), free(name);
}

void split_open(ExprPool *pool, Interner *names, Expr *const *exprs, int n, bool rows_in_time, bool (*is_input)(Expr *, void *), bool (*in_time)(Expr *, void *), void *user,
                Split *out) {
  Nodes nodes = {0};
  *out = (Split){.joined = malloc(sizeof(Expr *) * ((size_t)n + 1)), .n = n};
  classify(&nodes, exprs, n, is_input, in_time, user);
  /* from the top: parts are the largest that need not be mixed */
  Nodes todo = {.by = calloc((size_t)(nodes.n ? nodes.item[nodes.n - 1]->id : 0) + 1, 1)};
  for (int i = 0; i < n; i++) push(&todo, exprs[i]);
  for (int i = 0; i < todo.n; i++) {
    Expr *e = todo.item[i];
    if (!is_mixed(nodes.by[e->id], rows_in_time)) take_part(out, names, nodes.by[e->id], e);
    else
      for (int k = 0; k < e->n && e->op != EXPR_HOSTCALL; k++) push(&todo, e->arg[k]);
  }
  name_parts(pool, exprs, out);
  free(nodes.item), free(nodes.by), free(todo.item), free(todo.by);
}

void split_close(Split *split) {
  Parts *all[] = {&split->rows, &split->timed_rows, &split->numbers, &split->timed_numbers};
  for (int k = 0; k < 4; k++) free(all[k]->item), free(all[k]->name);
  free(split->joined);
}
