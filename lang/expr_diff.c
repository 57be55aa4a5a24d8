/* Derivatives of scalar-level expressions: by a leaf, along an axis, in time. One rule an operation, one pass over the DAG, every node once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr_pool.h"

/* Shorthands; the caller has set the pool lenient, so none of them fails. A zero derivative drops its term whatever stands beside it. */
static Expr *zero(ExprPool *p) { return expr_zero(p, SHAPE_SCALAR); }
static Expr *number(ExprPool *p, double value) { return expr_const(p, value, UNIT_NONE); }
static Expr *add(ExprPool *p, Expr *a, Expr *b) { return expr_binary(p, EXPR_ADD, a, b); }
static Expr *sub(ExprPool *p, Expr *a, Expr *b) { return expr_binary(p, EXPR_SUB, a, b); }
static Expr *neg(ExprPool *p, Expr *a) { return expr_unary(p, EXPR_NEG, a); }

static Expr *mul(ExprPool *p, Expr *a, Expr *b) {
  return expr_is_zero(a) || expr_is_zero(b) ? zero(p) : expr_binary(p, EXPR_MUL, a, b);
}

static Expr *quotient(ExprPool *p, Expr *a, Expr *b) { return expr_is_zero(a) ? a : expr_binary(p, EXPR_DIV, a, b); }
static Expr *square(ExprPool *p, Expr *a) { return mul(p, a, a); }
static Expr *one_plus(ExprPool *p, Expr *a) { return add(p, number(p, 1), a); }
static Expr *one_minus(ExprPool *p, Expr *a) { return sub(p, number(p, 1), a); }

static Expr *choose(ExprPool *p, ExprOp relation, Expr *a, Expr *b, Expr *da, Expr *db) {
  return expr_make(p, EXPR_IF, (Expr *[]){expr_binary(p, relation, a, b), da, db}, 3);
}

static Expr *power(ExprPool *p, Expr *e, Expr *a, Expr *b, Expr *da, Expr *db) {
  double c;
  if (expr_is_zero(db)) {   /* b a^(b-1) a': no logarithm, so that a may be zero or negative */
    Expr *less = expr_is_const(b, &c) ? number(p, c - 1) : sub(p, b, number(p, 1));
    return mul(p, mul(p, b, expr_binary(p, EXPR_POW, a, less)), da);
  }
  Expr *by_exponent = mul(p, db, expr_unary(p, EXPR_LOG, a));
  return mul(p, e, expr_is_zero(da) ? by_exponent : add(p, by_exponent, quotient(p, mul(p, b, da), a)));
}

/* f'(a) of a function of one variable. */
static Expr *slope(ExprPool *p, Expr *e, Expr *a) {
  switch (e->op) {
    case EXPR_SQRT: return quotient(p, number(p, 1), mul(p, number(p, 2), e));
    case EXPR_CBRT: return quotient(p, number(p, 1), mul(p, number(p, 3), square(p, e)));
    case EXPR_EXP: return e;
    case EXPR_LOG: return quotient(p, number(p, 1), a);
    case EXPR_LOG10: return quotient(p, number(p, 1 / M_LN10), a);
    case EXPR_SIN: return expr_unary(p, EXPR_COS, a);
    case EXPR_COS: return neg(p, expr_unary(p, EXPR_SIN, a));
    case EXPR_TAN: return one_plus(p, square(p, e));
    case EXPR_ASIN: return quotient(p, number(p, 1), expr_unary(p, EXPR_SQRT, one_minus(p, square(p, a))));
    case EXPR_ACOS: return quotient(p, number(p, -1), expr_unary(p, EXPR_SQRT, one_minus(p, square(p, a))));
    case EXPR_ATAN: return quotient(p, number(p, 1), one_plus(p, square(p, a)));
    case EXPR_SINH: return expr_unary(p, EXPR_COSH, a);
    case EXPR_COSH: return expr_unary(p, EXPR_SINH, a);
    case EXPR_TANH: return one_minus(p, square(p, e));
    case EXPR_ERF: return mul(p, number(p, M_2_SQRTPI), expr_unary(p, EXPR_EXP, neg(p, square(p, a))));
    case EXPR_ABS: return expr_unary(p, EXPR_SIGN, a);
    default: return zero(p);   /* piecewise constant: sign, floor, ceil, conditions */
  }
}

/* Derivatives of a table are tables: cubics have three, products of linear functions one by each argument. */
static Expr *table(ExprPool *p, Expr *e, Expr *const *d) {
  Expr *sum = zero(p);
  for (int k = 0; k < e->n; k++) {
    if (expr_is_zero(d[k]) || e->index[k] >= (e->table->dim == 1 ? 3 : 1)) continue;
    struct Expr draft;
    memcpy(&draft, e, sizeof draft);
    draft.index[k]++;
    draft.unit = unit_div(e->unit, e->table->in[k]);
    sum = add(p, sum, mul(p, expr_intern(p, &draft, e->arg), d[k]));
  }
  return sum;
}

static bool none(Expr *const *d, int n) {
  for (int i = 0; i < n; i++) if (!expr_is_zero(d[i])) return false;
  return true;
}

/* Derivative of an operation, given those of its arguments. NULL: it has none (a function of the host). */
static Expr *rule(ExprPool *p, Expr *e, Expr *const *d) {
  if (none(d, e->n)) return zero(p);
  Expr *a = e->arg[0], *b = e->n > 1 ? e->arg[1] : NULL;
  switch (e->op) {
    case EXPR_ADD: return add(p, d[0], d[1]);
    case EXPR_SUB: return sub(p, d[0], d[1]);
    case EXPR_NEG: return neg(p, d[0]);
    case EXPR_MUL: return a == b ? mul(p, number(p, 2), mul(p, a, d[0])) : add(p, mul(p, d[0], b), mul(p, a, d[1]));
    case EXPR_DIV: return quotient(p, sub(p, d[0], mul(p, e, d[1])), b);   /* (a' - (a/b) b')/b */
    case EXPR_POW: return power(p, e, a, b, d[0], d[1]);
    case EXPR_ATAN2: return quotient(p, sub(p, mul(p, b, d[0]), mul(p, a, d[1])), add(p, square(p, a), square(p, b)));
    case EXPR_HYPOT: return quotient(p, add(p, mul(p, a, d[0]), mul(p, b, d[1])), e);
    case EXPR_MIN: return choose(p, EXPR_LT, a, b, d[0], d[1]);
    case EXPR_MAX: return choose(p, EXPR_GT, a, b, d[0], d[1]);
    case EXPR_MOD: return sub(p, d[0], mul(p, d[1], expr_unary(p, EXPR_FLOOR, quotient(p, a, b))));
    case EXPR_LT: case EXPR_LE: case EXPR_GT: case EXPR_GE: case EXPR_EQ: case EXPR_NE: case EXPR_AND: case EXPR_OR: case EXPR_NOT: return zero(p);
    case EXPR_IF: return expr_make(p, EXPR_IF, (Expr *[]){a, d[1], d[2]}, 3);
    case EXPR_REGIONS: case EXPR_INTEGRAL: return expr_rebuild(p, e, d);
    case EXPR_TABLE: return table(p, e, d);
    case EXPR_HOSTCALL: return expr_fail(p, EXPR_DIMENSION, -1, "the derivative of the function %s of the host program is not known", e->name);
    default: return mul(p, slope(p, e, a), d[0]);
  }
}

/* --- the pass --- */

typedef struct Derivation {
  ExprPool *pool;
  bool sub;                /* zero where a root or its like has no derivative */
  Memo *memo;
  uint64_t slot;           /* derivative of node id is kept under id*4 + slot */
  uint32_t depends;        /* a node with none of these flags has derivative zero */
  bool through_integrals;  /* parameters and time change an integral; a point of space or a value at a point does not */
  Expr *(*leaf)(const struct Derivation *by, Expr *leaf);
  Expr *by;
  int axis;
} Derivation;

/* What must not be zero for an operation to have a derivative; NULL: it always has one where it has a value. */
static Expr *smooth_where(ExprPool *p, Expr *e) {
  double c;
  switch (e->op) {
    case EXPR_SQRT: case EXPR_CBRT: case EXPR_HYPOT: return e;
    case EXPR_ATAN2: return add(p, square(p, e->arg[0]), square(p, e->arg[1]));
    case EXPR_ASIN: case EXPR_ACOS: return one_minus(p, square(p, e->arg[0]));
    case EXPR_POW: return expr_is_const(e->arg[1], &c) && c >= 1 ? NULL : e->arg[0];
    default: return NULL;
  }
}

static Expr *guarded(ExprPool *p, Expr *e, Expr *derivative) {
  Expr *scale = derivative && !expr_is_zero(derivative) ? smooth_where(p, e) : NULL;
  return scale ? expr_make(p, EXPR_IF, (Expr *[]){expr_binary(p, EXPR_GT, expr_unary(p, EXPR_ABS, scale), zero(p)), derivative, zero(p)}, 3) : derivative;
}

static Expr *known(const Derivation *by, Expr *e) {
  if (!(e->flags & by->depends) || (e->op == EXPR_INTEGRAL && !by->through_integrals)) return zero(by->pool);
  return (Expr *)memo_get(by->memo, (uint64_t)e->id * 4 + by->slot);
}

static bool unknown(Expr *e, void *by) { return !known(by, e); }

static Expr *derive(const Derivation *by, Expr *root) {
  ExprPool *pool = by->pool;
  bool lenient = pool->lenient;
  pool->lenient = true;
  Walk walk;
  walk_open(&walk, root, unknown, (void *)by);
  Expr *d[256], *result = zero(pool);
  for (int i = 0; i < walk.n && result; i++) {
    Expr *e = walk.node[i];
    result = known(by, e);
    if (result) continue;
    for (int k = 0; k < e->n; k++) d[k] = known(by, e->arg[k]);
    result = e->n ? rule(pool, e, d) : by->leaf(by, e);
    if (by->sub && e->n) result = guarded(pool, e, result);
    if (result) memo_put(by->memo, (uint64_t)e->id * 4 + by->slot, result);
  }
  walk_close(&walk);
  pool->lenient = lenient;
  return result;
}

/* --- what is derived by --- */

enum { TERMS = HAS_UNKNOWN | HAS_TEST | HAS_TRIAL | HAS_PREVIOUS | HAS_FIELD };

static Expr *leaf_by_leaf(const Derivation *by, Expr *e) { return e == by->by ? number(by->pool, 1) : zero(by->pool); }

static Expr *raise_term(ExprPool *pool, Expr *term, int axis) {
  Symbol s = term->symbol;
  if (axis == 3) s.dt++;
  else s.dx[axis]++;
  return expr_term(pool, s, term->name, unit_div(term->unit, axis == 3 ? pool->time : pool->length));
}

static Expr *leaf_in_space(const Derivation *by, Expr *e) {
  if (e->op == EXPR_TERM) return raise_term(by->pool, e, by->axis);
  if (e->op == EXPR_COORD && e->index[0] == by->axis) return expr_const(by->pool, 1, unit_div(e->unit, by->pool->length));
  return zero(by->pool);
}

static Expr *leaf_in_time(const Derivation *by, Expr *e) {
  if (e->op == EXPR_TERM) return raise_term(by->pool, e, 3);
  if (e->op == EXPR_TIME) return expr_const(by->pool, 1, unit_div(e->unit, by->pool->time));
  return zero(by->pool);
}

static Expr *diff(ExprPool *pool, Expr *e, Expr *leaf, bool sub) {
  Memo memo = {0};
  bool everywhere = leaf->op == EXPR_PARAM || leaf->op == EXPR_TIME;
  Derivation by = {.pool = pool, .sub = sub, .memo = &memo, .depends = leaf->flags & ~(uint32_t)(HAS_DT | HAS_FACET), .through_integrals = everywhere, .leaf = leaf_by_leaf, .by = leaf};
  Expr *result = derive(&by, e);
  memo_free(&memo);
  return result;
}

Expr *expr_diff(ExprPool *pool, Expr *e, Expr *leaf) { return diff(pool, e, leaf, false); }
Expr *expr_subgradient(ExprPool *pool, Expr *e, Expr *leaf) { return diff(pool, e, leaf, true); }

Expr *expr_diff_space(ExprPool *pool, Expr *e, int axis) {
  Derivation by = {.pool = pool, .memo = &pool->derivatives, .slot = (uint64_t)axis, .depends = TERMS | HAS_COORD, .leaf = leaf_in_space, .axis = axis};
  return derive(&by, e);
}

Expr *expr_diff_time(ExprPool *pool, Expr *e) {
  Derivation by = {.pool = pool, .memo = &pool->derivatives, .slot = 3, .depends = TERMS | HAS_TIME, .through_integrals = true, .leaf = leaf_in_time};
  return derive(&by, e);
}
