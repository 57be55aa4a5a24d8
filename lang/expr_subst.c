/* Passes over the DAG: substitution, specialisation, terminals, degree, value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr_pool.h"

/* Rebuilds e bottom-up with leaves mapped by `map`; NULL where a shape does not fit (the pool's error is set). */
static Expr *transform(ExprPool *pool, Expr *e, Expr *(*map)(ExprPool *, Expr *, void *), void *user) {
  Walk walk;
  walk_open(&walk, e, NULL, NULL);
  Expr **image = expr_memory(NULL, (size_t)walk.n * sizeof *image), *args[256], *result = NULL;
  bool lenient = pool->lenient;
  pool->lenient = true;
  for (int i = 0; i < walk.n; i++) {
    Expr *node = walk.node[i];
    bool same = true;
    for (int k = 0; k < node->n; k++) {
      args[k] = image[walk_at(&walk, node->arg[k])];
      same &= args[k] == node->arg[k];
    }
    if (!node->n && node->op != EXPR_HOSTCALL) image[i] = map(pool, node, user);
    else image[i] = same && !(pool->dim && node->flags & HAS_DIM) && node->op != EXPR_DX ? node : expr_rebuild(pool, node, args);
    result = image[i];
    if (!result) break;
  }
  pool->lenient = lenient;
  free(image);
  walk_close(&walk);
  return result;
}

typedef struct Replacement {
  ExprSubstitute replace;
  void *user;
} Replacement;

static Expr *replace_leaf(ExprPool *pool, Expr *leaf, void *user) {
  const Replacement *r = user;
  if (leaf->op == EXPR_CONST || leaf->op == EXPR_ZERO || leaf->op == EXPR_IDENTITY) return leaf;
  Expr *value = r->replace(pool, leaf, r->user);
  if (value->op == EXPR_ZERO && !value->shape.rank) return expr_zero(pool, leaf->shape);
  if (shape_fits(value->shape, leaf->shape)) return value;
  return expr_fail(pool, EXPR_SHAPE, -1, "the value of %s has another shape", leaf->name ? leaf->name : expr_op_text((ExprOp)leaf->op));
}

Expr *expr_substitute(ExprPool *pool, Expr *e, ExprSubstitute replace, void *user) {
  return transform(pool, e, replace_leaf, &(Replacement){replace, user});
}

/* Rebuilds e bottom-up; `change` sees each node as it was and as it is with its new arguments, and gives what takes its place. NULL: it failed. */
typedef Expr *(*Rewrite)(ExprPool *pool, Expr *was, Expr *now, void *user);
static Expr *rewritten(ExprPool *pool, Expr *e, Rewrite change, void *user) {
  Walk walk;
  walk_open(&walk, e, NULL, NULL);
  Expr **image = expr_memory(NULL, (size_t)walk.n * sizeof *image), *args[256], *result = e;
  bool lenient = pool->lenient;
  pool->lenient = true;
  for (int i = 0; i < walk.n && result; i++) {
    Expr *node = walk.node[i];
    bool same = true;
    for (int k = 0; k < node->n; k++) {
      args[k] = image[walk_at(&walk, node->arg[k])];
      same &= args[k] == node->arg[k];
    }
    result = same ? node : expr_rebuild(pool, node, args);
    if (result) result = change(pool, node, result, user);
    image[i] = result;
  }
  pool->lenient = lenient;
  free(image);
  walk_close(&walk);
  return result;
}

typedef struct PartNames { Expr *const *parts; const Name *names; int n; } PartNames;

static Expr *named_part(ExprPool *pool, Expr *was, Expr *now, void *user) {
  const PartNames *list = user;
  for (int k = 0; k < list->n; k++)
    if (list->parts[k] == was) return expr_param(pool, list->names[k], was->shape, was->unit, true);
  return now;
}

Expr *expr_name_parts(ExprPool *pool, Expr *e, Expr *const *parts, const Name *names, int n) {
  Expr *result = rewritten(pool, e, named_part, &(PartNames){parts, names, n});
  return result ? result : e;
}

/* max(0, a) */
static Expr *leaky(ExprPool *pool, Expr *was, Expr *e, void *user) {
  double c;
  (void)was;
  if (e->op != EXPR_MAX) return e;
  int zero = expr_is_const(e->arg[0], &c) && c == 0 ? 0 : 1;
  if (!expr_is_const(e->arg[zero], &c) || c != 0) return e;
  Expr *a = e->arg[!zero], *positive = expr_binary(pool, EXPR_GT, a, expr_zero(pool, SHAPE_SCALAR));
  return expr_make(pool, EXPR_IF, (Expr *[]){positive, a, expr_binary(pool, EXPR_MUL, expr_const(pool, *(double *)user, UNIT_NONE), a)}, 3);
}

Expr *expr_leaky(ExprPool *pool, Expr *e, double slope) { return rewritten(pool, e, leaky, &slope); }

Expr *expr_param_beside(ExprPool *pool, Expr *param, const char *suffix) {
  Buf name = {0};
  buf_printf(&name, "%s%s", param->name, suffix);
  Expr *beside = expr_param(pool, intern_text(pool->names, buf_str(&name)), param->shape, param->unit, param->index[0]);
  buf_free(&name);
  return beside;
}

typedef struct NamedList { ExprNamed *item; int *n, max; } NamedList;

static Expr *named_integral(ExprPool *pool, Expr *was, Expr *e, void *user) {
  NamedList *list = user;
  Buf text = {0};
  (void)was;
  if (e->op != EXPR_INTEGRAL) return e;
  for (int k = 0; k < *list->n; k++)
    if (list->item[k].value == e) return list->item[k].symbol;
  if (*list->n == list->max) return NULL;
  expr_print(&text, e, EXPR_TEXT);
  for (int k = 0; k < *list->n; k++)
    if (!strcmp(list->item[k].name, buf_str(&text))) buf_putc(&text, '\''), k = -1;      /* the same text of another kind of place */
  Name name = intern_text(pool->names, buf_str(&text));
  buf_free(&text);
  list->item[*list->n] = (ExprNamed){name, expr_param(pool, name, e->shape, e->unit, true), e};
  return list->item[(*list->n)++].symbol;
}

Expr *expr_name_integrals(ExprPool *pool, Expr *e, ExprNamed *list, int *n, int max) {
  return e->flags & HAS_INTEGRAL ? rewritten(pool, e, named_integral, &(NamedList){list, n, max}) : e;
}

static Expr *specialise_leaf(ExprPool *pool, Expr *leaf, void *user) {
  (void)user;
  if (leaf->op == EXPR_COORD && leaf->index[0] >= pool->dim)
    return expr_fail(pool, EXPR_DIMENSION, -1, "there is no %c in %d dimension%s", "xyz"[leaf->index[0]], pool->dim, pool->dim == 1 ? "" : "s");
  Shape shape = leaf->shape;
  for (int i = 0; i < shape.rank; i++) if (shape.extent[i] == EXTENT_DIM) shape.extent[i] = (uint8_t)pool->dim;
  return shape_equal(shape, leaf->shape) ? leaf : expr_retype(pool, leaf, shape);
}

Expr *expr_specialise(ExprPool *pool, Expr *e, int dim) {
  int outer = pool->dim;
  pool->dim = dim;
  Expr *result = transform(pool, e, specialise_leaf, NULL);
  pool->dim = outer;
  return result;
}

static int by_id(const void *a, const void *b) {
  uint32_t x = (*(Expr *const *)a)->id, y = (*(Expr *const *)b)->id;
  return x < y ? -1 : x > y;
}

int expr_terms(ExprPool *pool, Expr *e, unsigned kinds, Expr **out, int max) {
  (void)pool;
  Walk walk;
  walk_open(&walk, e, NULL, NULL);
  int n = 0;
  for (int i = 0; i < walk.n; i++)
    if (walk.node[i]->op == EXPR_TERM && kinds >> walk.node[i]->symbol.kind & 1) walk.node[n++] = walk.node[i];
  qsort(walk.node, (size_t)n, sizeof *walk.node, by_id);
  for (int i = 0; out && i < n && i < max; i++) out[i] = walk.node[i];
  walk_close(&walk);
  return n;
}

static int larger(int a, int b) { return a > b ? a : b; }

static int degree_of(Expr *e, const int *d, int (*degree)(Expr *, void *), void *user) {
  int most = 0;
  for (int k = 0; k < e->n; k++) most = larger(most, d[k]);
  switch (e->op) {
    case EXPR_TERM: return degree(e, user);
    case EXPR_COORD: return 1;
    case EXPR_ADD: case EXPR_SUB: case EXPR_NEG: case EXPR_REGIONS: return most;
    case EXPR_MUL: return d[0] + d[1];
    case EXPR_DIV: return d[1] ? d[0] + d[1] + 2 : d[0];
    case EXPR_POW: {
      double power;
      if (expr_is_const(e->arg[1], &power) && power >= 0 && power == floor(power) && power <= 20) return d[0] * (int)power;
      break;
    }
    case EXPR_IF: return larger(d[1], d[2]);
    case EXPR_LT: case EXPR_LE: case EXPR_GT: case EXPR_GE: case EXPR_EQ: case EXPR_NE: case EXPR_AND: case EXPR_OR: case EXPR_NOT:
    case EXPR_INTEGRAL: return 0;
    default: break;
  }
  return most ? most + 2 : 0;
}

int expr_degree(Expr *e, int (*degree)(Expr *terminal, void *user), void *user) {
  Walk walk;
  walk_open(&walk, e, NULL, NULL);
  int *value = expr_memory(NULL, (size_t)walk.n * sizeof *value), d[256];
  for (int i = 0; i < walk.n; i++) {
    for (int k = 0; k < walk.node[i]->n; k++) d[k] = value[walk_at(&walk, walk.node[i]->arg[k])];
    value[i] = degree_of(walk.node[i], d, degree, user);
    if (value[i] > 1000) value[i] = 1000;
  }
  int result = value[walk.n - 1];
  free(value);
  walk_close(&walk);
  return result;
}

static bool computed_inside(Expr *e, void *user) {
  (void)user;
  return e->op != EXPR_INTEGRAL && e->op != EXPR_HOSTCALL;
}

typedef double (*Terminal)(Expr *leaf, void *user);

static double value_of(Expr *node, const double *a, Terminal terminal, void *user) {
  double value = NAN;
  if (node->op == EXPR_TABLE) value = expr_table_value(node->table, a, node->index);
  if (node->op == EXPR_TABLE && !isnan(value)) return value;
  return node->n && expr_compute((ExprOp)node->op, a, &value) ? value : terminal(node, user);
}

/* What is left of a budget of nodes after those of e as a tree, where shared parts count each time; negative: it does not suffice. */
static int small(Expr *e, int budget) {
  budget--;
  for (int k = 0; k < e->n && budget >= 0 && computed_inside(e, NULL); k++) budget = small(e->arg[k], budget);
  return budget;
}

/* Predicates of regions are asked for every vertex of every cell: a map of the nodes would cost more than it saves. */
static double value_of_tree(Expr *e, Terminal terminal, void *user) {
  if (e->op == EXPR_CONST || e->op == EXPR_ZERO) return e->op == EXPR_CONST ? e->value : 0;
  if (e->op == EXPR_REGIONS) return value_of_tree(e->arg[(int)terminal(e, user)], terminal, user);
  double a[3];
  for (int k = 0; k < e->n && k < 3 && computed_inside(e, NULL); k++) a[k] = value_of_tree(e->arg[k], terminal, user);
  return value_of(e, a, terminal, user);
}

double expr_value(Expr *e, Terminal terminal, void *user) {
  enum { SMALL = 64 };
  if (small(e, SMALL) >= 0) return value_of_tree(e, terminal, user);
  Walk walk;
  walk_open(&walk, e, computed_inside, NULL);
  double *value = expr_memory(NULL, (size_t)walk.n * sizeof *value), a[3];
  for (int i = 0; i < walk.n; i++) {
    Expr *node = walk.node[i];
    if (node->op == EXPR_CONST || node->op == EXPR_ZERO) value[i] = node->op == EXPR_CONST ? node->value : 0;
    else if (node->op == EXPR_REGIONS) value[i] = value[walk_at(&walk, node->arg[(int)terminal(node, user)])];
    else {
      for (int k = 0; k < node->n && k < 3 && computed_inside(node, NULL); k++) a[k] = value[walk_at(&walk, node->arg[k])];
      value[i] = value_of(node, a, terminal, user);
    }
  }
  double result = value[walk.n - 1];
  free(value);
  walk_close(&walk);
  return result;
}
