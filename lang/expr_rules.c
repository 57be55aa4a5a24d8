/* Shape and unit of every operation; what does not fit is told with both sides. */
#include <math.h>
#include <string.h>

#include "expr_pool.h"

/* --- shapes --- */

bool shape_equal(Shape a, Shape b) {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; i++) if (a.extent[i] != b.extent[i]) return false;
  return true;
}

static bool extent_fits(int a, int b) { return a == b || a == EXTENT_DIM || b == EXTENT_DIM; }

bool shape_fits(Shape a, Shape b) {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; i++) if (!extent_fits(a.extent[i], b.extent[i])) return false;
  return true;
}

Shape shape_merge(Shape a, Shape b) {
  for (int i = 0; i < a.rank; i++) if (a.extent[i] == EXTENT_DIM) a.extent[i] = b.extent[i];
  return a;
}

int shape_size(Shape s, int dim) {
  int size = 1;
  for (int i = 0; i < s.rank; i++) size *= s.extent[i] == EXTENT_DIM ? dim : s.extent[i];
  return size;
}

void shape_print(Buf *out, Shape s) {
  static const char *const words[] = {"scalar", "vector", "tensor", "tensor"};
  buf_puts(out, words[s.rank]);
  for (int i = 0; i < s.rank; i++)
    if (s.extent[i] == EXTENT_DIM) return;      /* as many as the domain has dimensions: which is not known here */
  for (int i = 0; i < s.rank; i++) buf_printf(out, "%c%d", i ? 'x' : ' ', s.extent[i]);
}

/* --- errors --- */

static bool misfit_shape(ExprPool *pool, int argument, const char *left, Shape a, const char *right, Shape b) {
  Buf one = {0}, two = {0};
  shape_print(&one, a);
  shape_print(&two, b);
  expr_fail(pool, EXPR_SHAPE, argument, "%s is %s, %s is %s", left, buf_str(&one), right, buf_str(&two));
  buf_free(&one);
  buf_free(&two);
  return false;
}

static void unit_words(Buf *out, Unit unit) {
  if (unit_is_none(unit)) buf_puts(out, "without unit");
  else {
    buf_puts(out, "in ");
    unit_print_short(out, unit);
  }
}

/* What a function needs of an argument, in words, against the shape it has. */
static bool needs_shape(ExprPool *pool, ExprOp op, int argument, Shape a, const char *wanted) {
  Buf is = {0};
  shape_print(&is, a);
  expr_fail(pool, a.rank ? EXPR_SHAPE : EXPR_RANK, argument, "%s needs %s, this is %s", expr_op_text(op), wanted, buf_str(&is));
  buf_free(&is);
  return false;
}

static bool scalars(ExprPool *pool, ExprOp op, Expr *const *args, int n) {
  for (int i = 0; i < n; i++) if (args[i]->shape.rank) return needs_shape(pool, op, i, args[i]->shape, "a scalar");
  return true;
}

static bool pure_number(ExprPool *pool, ExprOp op, Expr *a, int argument) {
  if (unit_fits(a->unit, UNIT_NONE) || pool->lenient) return true;
  Buf unit = {0};
  unit_print_short(&unit, a->unit);
  expr_fail(pool, EXPR_UNIT, argument, "%s needs a number without unit, this is in %s", op == EXPR_POW ? "an exponent" : expr_op_text(op), buf_str(&unit));
  buf_free(&unit);
  return false;
}

static bool common_unit(ExprPool *pool, Unit a, Unit b, const char *left, const char *right, int argument, Unit *out) {
  if (unit_fits(a, b)) {
    *out = unit_merge(a, b);
    return true;
  }
  *out = UNIT_ANY;
  if (pool->lenient) return true;
  Buf one = {0}, two = {0};
  unit_words(&one, a);
  unit_words(&two, b);
  expr_fail(pool, EXPR_UNIT, argument, "%s is %s, %s is %s", left, buf_str(&one), right, buf_str(&two));
  buf_free(&one);
  buf_free(&two);
  return false;
}

static bool scalar_zero(Expr *e) { return e->op == EXPR_ZERO && !e->shape.rank; }

bool expr_common(ExprPool *pool, Expr *const *args, int n, int first, Shape *shape, Unit *unit) {
  int lead = first;    /* the one the others are compared with: the first that is no literal 0 */
  while (lead < n - 1 && scalar_zero(args[lead])) lead++;
  *shape = args[lead]->shape;
  *unit = args[lead]->unit;
  for (int i = first; i < n; i++) {
    if (i == lead || scalar_zero(args[i])) continue;
    char left[24] = "left", right[24] = "right";
    if (n - first != 2) {
      memcpy(left, "number 1", 9);
      memcpy(right, "number 1", 9);
      left[7] = (char)('1' + (lead - first) % 9);
      right[7] = (char)('1' + (i - first) % 9);
    }
    if (!shape_fits(*shape, args[i]->shape)) return misfit_shape(pool, i, left, *shape, right, args[i]->shape);
    *shape = shape_merge(*shape, args[i]->shape);
    if (!common_unit(pool, *unit, args[i]->unit, left, right, i, unit)) return false;
  }
  return true;
}

/* --- rules --- */

static int dimension(const ExprPool *pool) { return pool->dim ? pool->dim : EXTENT_DIM; }

static bool square(Shape s) { return s.rank == 2 && extent_fits(s.extent[0], s.extent[1]); }

static bool power(ExprPool *pool, Expr *a, Expr *b, Unit *unit) {
  Expr *args[] = {a, b};
  if (!scalars(pool, EXPR_POW, args, 2) || !pure_number(pool, EXPR_POW, b, 1)) return false;
  double value;
  if (unit_is_none(a->unit) || a->unit.any) *unit = a->unit;
  else if (expr_is_const(b, &value) && unit_pow(a->unit, value, unit)) return true;
  else if (pool->lenient) *unit = UNIT_ANY;
  else {
    Buf text = {0};
    unit_print_short(&text, a->unit);
    expr_fail(pool, EXPR_POWER, 1, "the base is in %s: the exponent must be a number known here, a multiple of 1/12", buf_str(&text));
    buf_free(&text);
    return false;
  }
  return true;
}

static bool root(ExprPool *pool, ExprOp op, Expr *a, double exponent, Unit *unit) {
  if (!scalars(pool, op, &a, 1)) return false;
  if (a->unit.any || unit_pow(a->unit, exponent, unit)) {
    if (a->unit.any) *unit = UNIT_ANY;
    return true;
  }
  *unit = UNIT_ANY;
  if (pool->lenient) return true;
  expr_fail(pool, EXPR_UNIT, 0, "no %s of this unit", expr_op_text(op));
  return false;
}

static bool product(ExprPool *pool, Expr *a, Expr *b, Shape *shape, Unit *unit) {
  if (a->shape.rank && b->shape.rank) {
    misfit_shape(pool, -1, "left", a->shape, "right", b->shape);
    size_t len = strlen(pool->error.text);
    Buf text = {0};
    buf_printf(&text, "%.*s; `*` takes a scalar on one side: use dot, inner, cross or outer", (int)len, pool->error.text);
    pool->error.text[0] = 0;
    strncat(pool->error.text, buf_str(&text), sizeof pool->error.text - 1);
    buf_free(&text);
    return false;
  }
  *shape = a->shape.rank ? a->shape : b->shape;
  *unit = unit_mul(a->unit, b->unit);
  return true;
}

static bool contraction(ExprPool *pool, Expr *a, Expr *b, Shape *shape) {
  Shape s = a->shape, t = b->shape;
  if (!s.rank) return needs_shape(pool, EXPR_DOT, 0, s, "a vector or tensor");
  if (!t.rank) return needs_shape(pool, EXPR_DOT, 1, t, "a vector or tensor");
  bool along = s.rank == 1 && t.rank == 2 && (expr_is_gradient(b) || (b->op == EXPR_ZERO && !extent_fits(s.extent[0], t.extent[0])));
  if (s.rank + t.rank - 2 > RANK_MAX || !extent_fits(s.extent[s.rank - 1], t.extent[along ? 1 : 0])) return misfit_shape(pool, -1, "left", s, "right", t);
  *shape = (Shape){.rank = (uint8_t)(s.rank + t.rank - 2)};
  int k = 0;
  for (int i = 0; i + 1 < s.rank; i++) shape->extent[k++] = s.extent[i];
  if (along) shape->extent[k] = t.extent[0];
  else for (int i = 1; i < t.rank; i++) shape->extent[k++] = t.extent[i];
  return true;
}

static bool cross(ExprPool *pool, Expr *a, Expr *b, Shape *shape) {
  for (int i = 0; i < 2; i++) {
    Expr *e = i ? b : a;
    if (e->shape.rank != 1 || e->shape.extent[0] == 1 || (e->shape.extent[0] > 3 && e->shape.extent[0] != EXTENT_DIM))
      return needs_shape(pool, EXPR_CROSS, i, e->shape, "vectors of 2 or 3 components");
  }
  if (!shape_fits(a->shape, b->shape)) return misfit_shape(pool, -1, "left", a->shape, "right", b->shape);
  *shape = shape_merge(a->shape, b->shape);
  if (shape->extent[0] == EXTENT_DIM) {
    expr_fail(pool, EXPR_DIMENSION, -1, "cross needs vectors of a known number of components: use it where the domain is known");
    return false;
  }
  if (shape->extent[0] == 2) *shape = SHAPE_SCALAR;
  return true;
}

static bool curl(ExprPool *pool, Shape s, Shape *shape) {
  if (s.rank == 0) *shape = shape_vector(2);
  else if (s.rank == 1 && s.extent[0] == 3) *shape = s;
  else if (s.rank == 1 && s.extent[0] == 2) *shape = SHAPE_SCALAR;
  else if (s.rank == 1 && s.extent[0] == EXTENT_DIM) {
    expr_fail(pool, EXPR_DIMENSION, 0, "curl needs a vector of a known number of components: use it where the domain is known");
    return false;
  } else return needs_shape(pool, EXPR_CURL, 0, s, "a vector of 2 or 3 components, or a scalar in the plane");
  return true;
}

static bool divergence(ExprPool *pool, Shape s, Shape *shape) {
  if (!s.rank) return needs_shape(pool, EXPR_DIVERGENCE, 0, s, "a vector or tensor");
  if (!extent_fits(s.extent[s.rank - 1], dimension(pool))) {
    expr_fail(pool, EXPR_DIMENSION, 0, "div of %d components in %d dimension%s", s.extent[s.rank - 1], pool->dim, pool->dim == 1 ? "" : "s");
    return false;
  }
  *shape = s;
  shape->extent[--shape->rank] = 0;
  return true;
}

static bool outer(ExprPool *pool, Shape a, Shape b, Shape *shape) {
  if (a.rank + b.rank > RANK_MAX) return misfit_shape(pool, -1, "left", a, "right", b);
  *shape = a;
  for (int i = 0; i < b.rank; i++) shape->extent[shape->rank++] = b.extent[i];
  return true;
}

static bool jump(ExprPool *pool, Expr *const *args, int n, Shape *shape, Unit *unit) {
  *shape = args[0]->shape;
  *unit = args[0]->unit;
  if (n == 1) return true;
  if (n > 2) {
    expr_fail(pool, EXPR_ARITY, -1, "jump takes a field, or a field and the normal n");
    return false;
  }
  Shape s = args[1]->shape;
  if (s.rank != 1) return needs_shape(pool, EXPR_JUMP, 1, s, "the normal n as second argument");
  *unit = unit_mul(*unit, args[1]->unit);
  if (!shape->rank) *shape = s;
  else if (!extent_fits(shape->extent[shape->rank - 1], s.extent[0])) return misfit_shape(pool, -1, "left", *shape, "right", s);
  else shape->extent[--shape->rank] = 0;
  return true;
}

static bool det_unit(ExprPool *pool, Expr *a, Unit *unit) {
  int n = a->shape.extent[0] == EXTENT_DIM ? a->shape.extent[1] : a->shape.extent[0];
  if (n != EXTENT_DIM && n > 3) return needs_shape(pool, EXPR_DET, 0, a->shape, "a square tensor, 3x3 at most");
  if (unit_is_none(a->unit)) *unit = UNIT_NONE;
  else if (n == EXTENT_DIM || a->unit.any || !unit_pow(a->unit, n, unit)) *unit = UNIT_ANY;
  return true;
}

static bool tensor_rule(ExprPool *pool, ExprOp op, Expr *const *args, int n, Shape *shape, Unit *unit) {
  Expr *a = args[0], *b = n > 1 ? args[1] : NULL;
  Shape s = a->shape;
  *unit = b ? unit_mul(a->unit, b->unit) : a->unit;
  switch (op) {
    case EXPR_VECTOR:
      if (n > 9) break;
      if (!scalars(pool, op, args, n) || !expr_common(pool, args, n, 0, shape, unit)) return false;
      *shape = shape_vector(n);
      return true;
    case EXPR_TENSOR:
      if (n > 9) break;
      for (int i = 0; i < n; i++) if (args[i]->shape.rank != 1) return needs_shape(pool, op, i, args[i]->shape, "a vector as each row");
      if (!expr_common(pool, args, n, 0, &s, unit)) return false;
      *shape = shape_tensor(n, s.extent[0]);
      return true;
    case EXPR_DOT: return contraction(pool, a, b, shape);
    case EXPR_INNER: return shape_fits(s, b->shape) ? true : misfit_shape(pool, -1, "left", s, "right", b->shape);
    case EXPR_OUTER: return outer(pool, s, b->shape, shape);
    case EXPR_CROSS: return cross(pool, a, b, shape);
    case EXPR_TRANSPOSE:
      *shape = s.rank == 2 ? shape_tensor(s.extent[1], s.extent[0]) : s;
      return s.rank == 2 ? true : needs_shape(pool, op, 0, s, "a tensor");
    case EXPR_TRACE: return square(s) ? true : needs_shape(pool, op, 0, s, "a square tensor");
    case EXPR_DEV: case EXPR_SYM:
      *shape = s;
      return square(s) ? true : needs_shape(pool, op, 0, s, "a square tensor");
    case EXPR_DET: return square(s) ? det_unit(pool, a, unit) : needs_shape(pool, op, 0, s, "a square tensor");
    case EXPR_INV:
      *shape = s;
      *unit = unit_div(UNIT_NONE, a->unit);
      if (square(s) && (s.extent[0] <= 3 || s.extent[0] == EXTENT_DIM)) return true;
      return needs_shape(pool, op, 0, s, "a square tensor, 3x3 at most");
    default: break;
  }
  expr_fail(pool, EXPR_ARITY, -1, "1 to 9 components are possible, not %d", n);
  return false;
}

static bool derivative_rule(ExprPool *pool, ExprOp op, Expr *const *args, int n, Shape *shape, Unit *unit) {
  Shape s = args[0]->shape;
  *shape = s;
  *unit = unit_div(args[0]->unit, pool->length);
  switch (op) {
    case EXPR_GRAD:
      if (s.rank == RANK_MAX) return needs_shape(pool, op, 0, s, "a scalar, a vector or a tensor of two indices");
      shape->extent[shape->rank++] = (uint8_t)dimension(pool);
      return true;
    case EXPR_DIVERGENCE: return divergence(pool, s, shape);
    case EXPR_CURL: return curl(pool, s, shape);
    case EXPR_LAP: *unit = unit_div(*unit, pool->length); return true;
    case EXPR_EPS:
      if (s.rank != 1 || !extent_fits(s.extent[0], dimension(pool))) return needs_shape(pool, op, 0, s, "a vector of the domain's dimension");
      *shape = shape_tensor(s.extent[0], s.extent[0]);
      return true;
    case EXPR_DT: *unit = unit_div(args[0]->unit, pool->time); return true;
    case EXPR_DTT: *unit = unit_div(unit_div(args[0]->unit, pool->time), pool->time); return true;
    case EXPR_JUMP: return jump(pool, args, n, shape, unit);
    case EXPR_AVG: *unit = args[0]->unit; return true;
    default:
      expr_fail(pool, EXPR_ARITY, -1, "%s is made by its own constructor", expr_op_text(op));
      return false;
  }
}

bool expr_rule(ExprPool *pool, ExprOp op, Expr *const *args, int n, Shape *shape, Unit *unit) {
  Expr *a = args[0], *b = n > 1 ? args[1] : NULL;
  *shape = SHAPE_SCALAR;
  *unit = UNIT_NONE;
  switch (op) {
    case EXPR_ADD: case EXPR_SUB: return expr_common(pool, args, 2, 0, shape, unit);
    case EXPR_NEG: *shape = a->shape; *unit = a->unit; return true;
    case EXPR_MUL: return product(pool, a, b, shape, unit);
    case EXPR_DIV:
      if (b->shape.rank) return needs_shape(pool, op, 1, b->shape, "a scalar divisor");
      *shape = a->shape;
      *unit = unit_div(a->unit, b->unit);
      return true;
    case EXPR_POW: return power(pool, a, b, unit);
    case EXPR_SQRT: return root(pool, op, a, 1.0 / 2, unit);
    case EXPR_CBRT: return root(pool, op, a, 1.0 / 3, unit);
    case EXPR_EXP: case EXPR_LOG: case EXPR_LOG10: case EXPR_SIN: case EXPR_COS: case EXPR_TAN: case EXPR_ASIN: case EXPR_ACOS: case EXPR_ATAN:
    case EXPR_SINH: case EXPR_COSH: case EXPR_TANH: case EXPR_ERF: case EXPR_FLOOR: case EXPR_CEIL:
      return scalars(pool, op, args, 1) && pure_number(pool, op, a, 0);
    case EXPR_ABS: *unit = a->unit; return true;
    case EXPR_SIGN: return scalars(pool, op, args, 1);
    case EXPR_MIN: case EXPR_MAX: case EXPR_MOD: case EXPR_HYPOT: return scalars(pool, op, args, 2) && expr_common(pool, args, 2, 0, shape, unit);
    case EXPR_ATAN2: case EXPR_LT: case EXPR_LE: case EXPR_GT: case EXPR_GE: case EXPR_EQ: case EXPR_NE: {
      Unit same;
      return scalars(pool, op, args, 2) && expr_common(pool, args, 2, 0, shape, &same);
    }
    case EXPR_AND: case EXPR_OR: case EXPR_NOT: return scalars(pool, op, args, n);
    case EXPR_IF: return scalars(pool, op, args, 1) && expr_common(pool, args, 3, 1, shape, unit);
    default: return op < EXPR_GRAD ? tensor_rule(pool, op, args, n, shape, unit) : derivative_rule(pool, op, args, n, shape, unit);
  }
}
