/* Rewriting at construction. It never changes a value in IEEE arithmetic, but for the sign of a zero; a structural zero (the literal 0 and
 * what derives from it) is exact and vanishes from sums and contractions. */
#include <math.h>

#include "expr_pool.h"

static bool is_value(Expr *e, double value) { return e->op == EXPR_CONST && e->value == value; }
static bool is_one(Expr *e) { return is_value(e, 1) && unit_is_none(e->unit); }
static bool is_nought(Expr *e) { return e->op == EXPR_ZERO || is_value(e, 0); }
static bool is_finite(Expr *e) { return !(e->flags & HAS_SINGULAR); }
static bool keeps_unit(Expr *e, Unit unit) { return unit_equal(e->unit, unit); }

bool expr_compute(ExprOp op, const double *a, double *value) {
  const double close = 1e-9;   /* == on coordinates, for a domain of size 1 */
  switch (op) {
    case EXPR_ADD: *value = a[0] + a[1]; return true;
    case EXPR_SUB: *value = a[0] - a[1]; return true;
    case EXPR_NEG: *value = -a[0]; return true;
    case EXPR_MUL: *value = a[0] * a[1]; return true;
    case EXPR_DIV: *value = a[0] / a[1]; return true;
    case EXPR_POW: *value = pow(a[0], a[1]); return true;
    case EXPR_SQRT: *value = sqrt(a[0]); return true;
    case EXPR_CBRT: *value = cbrt(a[0]); return true;
    case EXPR_EXP: *value = exp(a[0]); return true;
    case EXPR_LOG: *value = log(a[0]); return true;
    case EXPR_LOG10: *value = log10(a[0]); return true;
    case EXPR_SIN: *value = sin(a[0]); return true;
    case EXPR_COS: *value = cos(a[0]); return true;
    case EXPR_TAN: *value = tan(a[0]); return true;
    case EXPR_ASIN: *value = asin(a[0]); return true;
    case EXPR_ACOS: *value = acos(a[0]); return true;
    case EXPR_ATAN: *value = atan(a[0]); return true;
    case EXPR_ATAN2: *value = atan2(a[0], a[1]); return true;
    case EXPR_SINH: *value = sinh(a[0]); return true;
    case EXPR_COSH: *value = cosh(a[0]); return true;
    case EXPR_TANH: *value = tanh(a[0]); return true;
    case EXPR_ERF: *value = erf(a[0]); return true;
    case EXPR_ABS: *value = fabs(a[0]); return true;
    case EXPR_SIGN: *value = (a[0] > 0) - (a[0] < 0); return true;
    case EXPR_FLOOR: *value = floor(a[0]); return true;
    case EXPR_CEIL: *value = ceil(a[0]); return true;
    case EXPR_MOD: *value = a[0] - a[1] * floor(a[0] / a[1]); return true;   /* sign of the divisor */
    case EXPR_MIN: *value = a[0] < a[1] || isnan(a[0]) ? a[0] : a[1]; return true;      /* a NaN on either side stays */
    case EXPR_MAX: *value = a[0] > a[1] || isnan(a[0]) ? a[0] : a[1]; return true;
    case EXPR_HYPOT: *value = hypot(a[0], a[1]); return true;
    case EXPR_LT: *value = a[0] < a[1]; return true;
    case EXPR_LE: *value = a[0] <= a[1]; return true;
    case EXPR_GT: *value = a[0] > a[1]; return true;
    case EXPR_GE: *value = a[0] >= a[1]; return true;
    case EXPR_EQ: *value = fabs(a[0] - a[1]) <= close; return true;
    case EXPR_NE: *value = !(fabs(a[0] - a[1]) <= close); return true;
    case EXPR_AND: *value = a[0] != 0 && a[1] != 0; return true;
    case EXPR_OR: *value = a[0] != 0 || a[1] != 0; return true;
    case EXPR_NOT: *value = a[0] == 0; return true;
    case EXPR_IF: *value = a[0] != 0 ? a[1] : a[2]; return true;
    default: return false;
  }
}

/* Numbers alone: computed here, where the result is finite. == waits for the size of the domain. */
static Expr *fold(ExprPool *pool, ExprOp op, Expr *const *args, int n, Unit unit) {
  double value[3], result;
  if (n > 3 || op == EXPR_EQ || op == EXPR_NE) return NULL;
  bool exact = true, zero_factor = op == EXPR_MUL || op == EXPR_DIV;   /* is a result 0 a structural zero? */
  for (int i = 0; i < n; i++) {
    if (!expr_is_const(args[i], &value[i])) return NULL;
    exact &= args[i]->op == EXPR_ZERO;
  }
  for (int i = 0; zero_factor && i < n; i++) exact |= args[i]->op == EXPR_ZERO;
  if (!expr_compute(op, value, &result) || !isfinite(result)) return NULL;
  return result == 0 && exact ? expr_zero(pool, SHAPE_SCALAR) : expr_const(pool, result, unit);
}

static Expr *shaped(ExprPool *pool, Expr *e, Shape shape) {
  return e->op == EXPR_ZERO && !shape_equal(e->shape, shape) ? expr_zero(pool, shape) : e;
}

static Expr *sum(ExprPool *pool, Expr *a, Expr *b, Shape shape, Unit unit) {
  if (is_nought(a) && keeps_unit(b, unit)) return shaped(pool, b, shape);
  if (is_nought(b) && keeps_unit(a, unit)) return shaped(pool, a, shape);
  if (b->op == EXPR_NEG) return expr_binary(pool, EXPR_SUB, a, b->arg[0]);
  if (a->op == EXPR_NEG) return expr_binary(pool, EXPR_SUB, b, a->arg[0]);
  return NULL;
}

static Expr *difference(ExprPool *pool, Expr *a, Expr *b, Shape shape, Unit unit) {
  if (is_nought(b) && keeps_unit(a, unit)) return shaped(pool, a, shape);
  if (is_nought(a) && keeps_unit(b, unit)) return expr_unary(pool, EXPR_NEG, shaped(pool, b, shape));
  if (b->op == EXPR_NEG) return expr_binary(pool, EXPR_ADD, a, b->arg[0]);
  if (a == b && is_finite(a)) return expr_zero(pool, shape);
  return NULL;
}

static Expr *product(ExprPool *pool, Expr *a, Expr *b, Shape shape) {
  for (int i = 0; i < 2; i++) {
    Expr *one = i ? b : a, *other = i ? a : b;
    if (is_one(one)) return other;
    if (is_value(one, -1) && unit_is_none(one->unit)) return expr_unary(pool, EXPR_NEG, other);
    if (is_nought(one) && is_finite(other)) return expr_zero(pool, shape);
    if (one->op == EXPR_NEG) return expr_unary(pool, EXPR_NEG, expr_binary(pool, EXPR_MUL, one->arg[0], other));
  }
  return NULL;
}

static Expr *quotient(ExprPool *pool, Expr *a, Expr *b, Shape shape) {
  if (is_one(b)) return a;
  if (is_value(b, -1) && unit_is_none(b->unit)) return expr_unary(pool, EXPR_NEG, a);
  if (a->op == EXPR_ZERO && b->op == EXPR_CONST && b->value != 0) return expr_zero(pool, shape);
  if (a->op == EXPR_NEG) return expr_unary(pool, EXPR_NEG, expr_binary(pool, EXPR_DIV, a->arg[0], b));
  return NULL;
}

static Expr *power(ExprPool *pool, Expr *a, Expr *b) {
  if (is_value(b, 1)) return a;
  if (is_nought(b)) return expr_const(pool, 1, UNIT_NONE);   /* pow(x, 0) is 1 for every x, NaN too (IEEE 754, 9.2.1) */
  if (a->op == EXPR_ZERO && b->op == EXPR_CONST && b->value > 0) return a;
  return NULL;
}

static Expr *condition(ExprPool *pool, Expr *const *args, Shape shape, Unit unit) {
  double value;
  if (!expr_is_const(args[0], &value)) return args[1] == args[2] ? args[1] : NULL;
  Expr *taken = value != 0 ? args[1] : args[2];
  return taken->op == EXPR_ZERO || keeps_unit(taken, unit) ? shaped(pool, taken, shape) : NULL;
}

static bool all_zero(Expr *const *args, int n) {
  for (int i = 0; i < n; i++) if (args[i]->op != EXPR_ZERO) return false;
  return true;
}

/* The same for every place, time and parameter. */
static bool constant(Expr *e) { return !(e->flags & ~(uint32_t)(HAS_SINGULAR | HAS_DIM)); }

static Expr *tensor(ExprPool *pool, ExprOp op, Expr *const *args, int n, Shape shape) {
  Expr *a = args[0], *b = n > 1 ? args[1] : NULL;
  switch (op) {
    case EXPR_VECTOR: case EXPR_TENSOR: return all_zero(args, n) ? expr_zero(pool, shape) : NULL;
    case EXPR_DOT:
      if (a->op == EXPR_IDENTITY && shape_equal(b->shape, shape)) return b;
      if (b->op == EXPR_IDENTITY && shape_equal(a->shape, shape)) return a;
      return a->op == EXPR_ZERO || b->op == EXPR_ZERO ? expr_zero(pool, shape) : NULL;
    case EXPR_INNER: case EXPR_OUTER: case EXPR_CROSS:
      if (!a->shape.rank && !b->shape.rank) return expr_binary(pool, EXPR_MUL, a, b);
      return a->op == EXPR_ZERO || b->op == EXPR_ZERO ? expr_zero(pool, shape) : NULL;
    case EXPR_TRANSPOSE:
      if (a->op == EXPR_TRANSPOSE) return a->arg[0];
      if (a->op == EXPR_IDENTITY || a->op == EXPR_SYM || a->op == EXPR_EPS) return a;
      return a->op == EXPR_ZERO ? expr_zero(pool, shape) : NULL;
    case EXPR_SYM:
      if (a->op == EXPR_IDENTITY || a->op == EXPR_SYM || a->op == EXPR_EPS || a->op == EXPR_ZERO) return a;
      return a->op == EXPR_GRAD ? expr_unary(pool, EXPR_EPS, a->arg[0]) : NULL;
    case EXPR_DEV: return a->op == EXPR_ZERO ? a : a->op == EXPR_IDENTITY ? expr_zero(pool, shape) : NULL;
    case EXPR_TRACE:
      if (a->op == EXPR_IDENTITY && a->shape.extent[0] != EXTENT_DIM) return expr_const(pool, a->shape.extent[0], UNIT_NONE);
      return a->op == EXPR_ZERO ? expr_zero(pool, shape) : NULL;
    case EXPR_DET: return a->op == EXPR_ZERO ? expr_zero(pool, shape) : a->op == EXPR_IDENTITY ? expr_const(pool, 1, UNIT_NONE) : NULL;
    case EXPR_INV: return a->op == EXPR_IDENTITY ? a : NULL;
    case EXPR_GRAD: case EXPR_DIVERGENCE: case EXPR_CURL: case EXPR_LAP: case EXPR_EPS: case EXPR_DT: case EXPR_DTT:
      return constant(a) ? expr_zero(pool, shape) : NULL;
    case EXPR_JUMP: return a->op == EXPR_ZERO || (n == 1 && constant(a)) ? expr_zero(pool, shape) : NULL;
    case EXPR_AVG: return constant(a) ? a : NULL;
    default: return NULL;
  }
}

Expr *expr_simplify(ExprPool *pool, ExprOp op, Expr *const *args, int n, Shape shape, Unit unit) {
  Expr *a = args[0], *b = n > 1 ? args[1] : NULL;
  Expr *folded = shape.rank ? NULL : fold(pool, op, args, n, unit);
  if (folded) return folded;
  switch (op) {
    case EXPR_ADD: return sum(pool, a, b, shape, unit);
    case EXPR_SUB: return difference(pool, a, b, shape, unit);
    case EXPR_NEG: return a->op == EXPR_NEG ? a->arg[0] : a->op == EXPR_ZERO ? a : NULL;
    case EXPR_MUL: return product(pool, a, b, shape);
    case EXPR_DIV: return quotient(pool, a, b, shape);
    case EXPR_POW: return power(pool, a, b);
    case EXPR_ABS: return a->op == EXPR_ZERO ? expr_zero(pool, shape) : a->op == EXPR_ABS ? a : NULL;
    case EXPR_IF: return condition(pool, args, shape, unit);
    default: return op >= EXPR_VECTOR ? tensor(pool, op, args, n, shape) : NULL;
  }
}
