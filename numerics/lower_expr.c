/* Scalar-level expressions as KIR values, each node once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lower.h"

/* --- memo: open addressing by pointer --- */

static ExprValue *memo_slot(Lower *lo, Expr *e) {
  uint32_t mask = (uint32_t)lo->memo_cap - 1, h = (uint32_t)((uintptr_t)e >> 4) * 2654435761u & mask;
  while (lo->memo[h].key && lo->memo[h].key != e) h = (h + 1) & mask;
  return &lo->memo[h];
}

static void memo_put(Lower *lo, Expr *e, KirValue value) {
  if (2 * lo->nmemo >= lo->memo_cap) {
    ExprValue *old = lo->memo;
    int cap = lo->memo_cap;
    lo->memo_cap = cap ? 2 * cap : 256;
    lo->memo = kir_zeroed(sizeof(ExprValue) * (size_t)lo->memo_cap);
    for (int i = 0; i < cap; i++)
      if (old[i].key) *memo_slot(lo, old[i].key) = old[i];
    free(old);
  }
  *memo_slot(lo, e) = (ExprValue){e, value};
  lo->nmemo++;
}

static bool memo_has(Lower *lo, Expr *e, KirValue *value) {
  if (!lo->memo_cap) return false;
  const ExprValue *slot = memo_slot(lo, e);
  if (!slot->key) return false;
  *value = slot->value;
  return true;
}

/* --- leaves --- */

KirValue lower_zero(Lower *lo, KirValue x) { return x == KIR_NONE ? kir_const(lo->b, 0) : x; }

static KirValue parameter(Lower *lo, Expr *e) {
  Kernel *k = lo->kernel;
  int i = 0;
  while (i < k->np && k->params[i] != e && !(e->op == EXPR_CONST && k->params[i]->op == EXPR_CONST && k->params[i]->value == e->value)) i++;
  if (i == k->np) {
    k->params = kir_memory(k->params, sizeof *k->params * (size_t)(k->np + 1));
    k->params[k->np++] = e;
  }
  return kir_load(lo->b, KIR_P, (KirIndex){.base = i});
}

/* Small integers and halves shape the program; other numbers are parameters, so that they don't change the kernel. */
static KirValue number(Lower *lo, Expr *e) {
  double v = e->value;
  if (v == 0) return KIR_NONE;
  return (fabs(v) <= 16 && v == floor(v)) || fabs(v) == .5 ? kir_const(lo->b, v) : parameter(lo, e);
}

static bool is_param(Expr *e) {
  return e->op == EXPR_PARAM || e->op == EXPR_TIME || e->op == EXPR_LAMBDA || (e->op == EXPR_COMPONENT && e->arg[0]->op == EXPR_PARAM);
}

/* Values that are looked up by the host at each point: they are no arithmetic. */
static bool by_host(Expr *e) { return e->op == EXPR_HOSTCALL || (e->op == EXPR_TABLE && e->table->scatter); }

static bool is_leaf(Expr *e) { return e->n == 0 || is_param(e) || by_host(e); }

static KirValue leaf(Lower *lo, Expr *e) {
  if (is_param(e)) return parameter(lo, e);
  if (by_host(e)) return lo->request ? lower_data(lo, KERNEL_AT_POINTS, e, 0) : lower_input(lo, e);
  switch (e->op) {
    case EXPR_CONST: return number(lo, e);
    case EXPR_ZERO: return KIR_NONE;
    case EXPR_TERM: return lo->request ? lower_term(lo, e) : lower_input(lo, e);
    case EXPR_COORD: return lo->request ? lower_point(lo, e->index[0]) : lower_input(lo, e);
    case EXPR_NORMAL_COMPONENT: return lo->request ? lower_normal(lo, e->index[0]) : lower_input(lo, e);
    case EXPR_SIZE: return lo->request ? lower_size(lo, e->index[0]) : lower_input(lo, e);
    default: break;
  }
  if (!lo->failed) diag_report(lo->diags, E0999, lo->span, "an operation of tensor level (%s) reached a kernel", expr_op_text(e->op));
  lo->failed = true;
  return KIR_NONE;
}

/* --- operations --- */

static KirValue op1(Lower *lo, KirOp op, KirValue a) { return kir_op(lo->b, op, lower_zero(lo, a), KIR_NONE, KIR_NONE); }
static KirValue op2(Lower *lo, KirOp op, KirValue a, KirValue b) { return kir_op(lo->b, op, lower_zero(lo, a), lower_zero(lo, b), KIR_NONE); }

static KirValue power(Lower *lo, KirValue x, Expr *exponent, KirValue y) {
  double p;
  if (!expr_is_const(exponent, &p)) return op2(lo, KIR_POW, x, y);
  if (p == 0) return kir_const(lo->b, 1);
  if (fabs(p) == .5) {
    KirValue root = op1(lo, KIR_SQRT, x);
    return p > 0 ? root : kir_op(lo->b, KIR_DIV, kir_const(lo->b, 1), root, KIR_NONE);
  }
  if (p != floor(p) || fabs(p) > 64) return op2(lo, KIR_POW, x, y);
  KirValue result = KIR_NONE, square = lower_zero(lo, x);
  for (int n = (int)fabs(p); n; n >>= 1) {
    if (n & 1) result = result == KIR_NONE ? square : kir_op(lo->b, KIR_MUL, result, square, KIR_NONE);
    if (n > 1) square = kir_op(lo->b, KIR_MUL, square, square, KIR_NONE);
  }
  return p > 0 ? result : kir_op(lo->b, KIR_DIV, kir_const(lo->b, 1), result, KIR_NONE);
}

/* Sums of products become multiply-adds. */
static KirValue sum(Lower *lo, Expr *e, const KirValue *a) {
  for (int k = 1; k >= 0 && a[0] != KIR_NONE && a[1] != KIR_NONE && e->op == EXPR_ADD; k--) {
    KirValue x, y;
    if (e->arg[k]->op == EXPR_MUL && memo_has(lo, e->arg[k]->arg[0], &x) && memo_has(lo, e->arg[k]->arg[1], &y) && x != KIR_NONE && y != KIR_NONE)
      return kir_mul_add(lo->b, x, y, a[!k]);
  }
  return e->op == EXPR_ADD ? kir_add(lo->b, a[0], a[1]) : kir_sub(lo->b, a[0], a[1]);
}

/* Equality in `where`: within 1e-9 of the domain's size. */
static KirValue equal(Lower *lo, KirValue a, KirValue b) {
  KirValue gap = op1(lo, KIR_ABS, kir_sub(lo->b, a, b));
  return kir_op(lo->b, KIR_LE, gap, lower_data(lo, KERNEL_DOMAIN_EPS, NULL, 0), KIR_NONE);
}

static KirValue function(Lower *lo, Expr *e, const KirValue *a) {
  static const uint8_t same[EXPR_OPS] = {
      [EXPR_SQRT] = KIR_SQRT, [EXPR_CBRT] = KIR_CBRT, [EXPR_EXP] = KIR_EXP,     [EXPR_LOG] = KIR_LOG,     [EXPR_LOG10] = KIR_LOG10, [EXPR_SIN] = KIR_SIN,
      [EXPR_COS] = KIR_COS,   [EXPR_TAN] = KIR_TAN,   [EXPR_ASIN] = KIR_ASIN,   [EXPR_ACOS] = KIR_ACOS,   [EXPR_ATAN] = KIR_ATAN,   [EXPR_ATAN2] = KIR_ATAN2,
      [EXPR_SINH] = KIR_SINH, [EXPR_COSH] = KIR_COSH, [EXPR_TANH] = KIR_TANH,   [EXPR_ERF] = KIR_ERF,     [EXPR_ABS] = KIR_ABS,     [EXPR_SIGN] = KIR_SIGN,
      [EXPR_FLOOR] = KIR_FLOOR, [EXPR_CEIL] = KIR_CEIL, [EXPR_MIN] = KIR_MIN,   [EXPR_MAX] = KIR_MAX,     [EXPR_HYPOT] = KIR_HYPOT, [EXPR_LT] = KIR_LT,
      [EXPR_LE] = KIR_LE,     [EXPR_AND] = KIR_AND,   [EXPR_OR] = KIR_OR,       [EXPR_NOT] = KIR_NOT};
  KirOp op = same[e->op];
  if (op) return kir_rows[op].arity == 1 ? op1(lo, op, a[0]) : op2(lo, op, a[0], a[1]);
  switch (e->op) {
    case EXPR_GT: return op2(lo, KIR_LT, a[1], a[0]);
    case EXPR_GE: return op2(lo, KIR_LE, a[1], a[0]);
    case EXPR_EQ: return equal(lo, a[0], a[1]);
    case EXPR_NE: return op1(lo, KIR_NOT, equal(lo, a[0], a[1]));
    case EXPR_IF: return kir_op(lo->b, KIR_SELECT, lower_zero(lo, a[0]), lower_zero(lo, a[1]), lower_zero(lo, a[2]));
    case EXPR_MOD: return kir_sub(lo->b, a[0], kir_mul(lo->b, a[1], op1(lo, KIR_FLOOR, op2(lo, KIR_DIV, a[0], a[1]))));   /* sign of the divisor */
    default: return leaf(lo, e);   /* reports */
  }
}

static KirValue operation(Lower *lo, Expr *e, const KirValue *a) {
  switch (e->op) {
    case EXPR_ADD: case EXPR_SUB: return sum(lo, e, a);
    case EXPR_NEG: return kir_sub(lo->b, KIR_NONE, a[0]);
    case EXPR_MUL: return kir_mul(lo->b, a[0], a[1]);
    case EXPR_DIV: return a[0] == KIR_NONE ? KIR_NONE : op2(lo, KIR_DIV, a[0], a[1]);
    case EXPR_POW: return power(lo, a[0], e->arg[1], a[1]);
    case EXPR_REGIONS: return lower_regions(lo, e, a);
    case EXPR_TABLE: return lower_lookup(lo, e, a);
    default: return function(lo, e, a);
  }
}

/* --- walk: nodes that are not known yet, by ascending id (arguments come first) --- */

static int by_id(const void *a, const void *b) {
  uint32_t x = (*(Expr *const *)a)->id, y = (*(Expr *const *)b)->id;
  return x < y ? -1 : x > y;
}

typedef struct NodeList {
  Expr **item;
  int n, cap;
} NodeList;

static void node_add(NodeList *list, Expr *e) {
  if (list->n == list->cap) list->item = kir_memory(list->item, sizeof(Expr *) * (size_t)(list->cap = list->cap ? 2 * list->cap : 64));
  list->item[list->n++] = e;
}

enum { PENDING = -2 };

KirValue lower_expr(Lower *lo, Expr *e) {
  KirValue value;
  if (memo_has(lo, e, &value)) return value;
  NodeList todo = {0};
  node_add(&todo, e);
  memo_put(lo, e, PENDING);
  for (int i = 0; i < todo.n; i++) {
    Expr *at = todo.item[i];
    for (int k = 0; k < at->n && !is_leaf(at); k++)
      if (!memo_has(lo, at->arg[k], &value)) {
        node_add(&todo, at->arg[k]);
        memo_put(lo, at->arg[k], PENDING);
      }
  }
  qsort(todo.item, (size_t)todo.n, sizeof *todo.item, by_id);
  KirValue args[256];
  for (int i = 0; i < todo.n; i++) {
    Expr *at = todo.item[i];
    bool ends = is_leaf(at);
    for (int k = 0; k < at->n && !ends; k++) args[k] = memo_slot(lo, at->arg[k])->value;
    value = ends ? leaf(lo, at) : operation(lo, at, args);
    memo_slot(lo, at)->value = value;
  }
  free(todo.item);
  return memo_slot(lo, e)->value;
}

/* --- degree --- */

enum { SPATIAL = HAS_UNKNOWN | HAS_TEST | HAS_TRIAL | HAS_PREVIOUS | HAS_FIELD | HAS_COORD | HAS_NORMAL | HAS_HOST };

static bool keeps_polynomials(Expr *e) {
  double p;
  switch (e->op) {
    case EXPR_ADD: case EXPR_SUB: case EXPR_NEG: case EXPR_MUL: case EXPR_REGIONS: return true;
    case EXPR_DIV: return !(e->arg[1]->flags & SPATIAL);
    case EXPR_POW: return expr_is_const(e->arg[1], &p) && p >= 0 && p == floor(p);
    default: return is_leaf(e) || !(e->flags & SPATIAL);
  }
}

bool lower_is_polynomial(Expr *e) {
  Lower seen = {0};
  NodeList todo = {0};
  bool yes = true;
  node_add(&todo, e);
  for (int i = 0; i < todo.n && yes; i++) {
    Expr *at = todo.item[i];
    yes = keeps_polynomials(at);
    for (int k = 0; k < at->n && !is_leaf(at); k++) {
      KirValue value;
      if (memo_has(&seen, at->arg[k], &value)) continue;
      memo_put(&seen, at->arg[k], 0);
      node_add(&todo, at->arg[k]);
    }
  }
  free(todo.item);
  free(seen.memo);
  return yes;
}
