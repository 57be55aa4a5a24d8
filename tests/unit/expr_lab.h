/* For tests of expressions: one pool, short constructors, terminals with reproducible values, random expressions. */
#ifndef EXPR_LAB_H
#define EXPR_LAB_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../lang/expr.h"

static Interner *lab_names;
static ExprPool *lab;

static inline int lab_open(void **state) {
  (void)state;
  lab_names = interner_new();
  lab = expr_pool_new(lab_names);
  return !lab;
}

static inline int lab_close(void **state) {
  (void)state;
  expr_pool_free(lab);
  interner_free(lab_names);
  return 0;
}

static inline Name nm(const char *text) { return intern_text(lab_names, text); }
static inline Unit unit_of(const char *symbol) {
  UnitScale s;
  assert_true(unit_symbol(symbol, &s));
  return s.unit;
}

static inline Expr *C(double value) { return expr_const(lab, value, UNIT_NONE); }
static inline Expr *zero(void) { return expr_zero(lab, SHAPE_SCALAR); }
static inline Expr *X(int axis) { return expr_coord(lab, axis, UNIT_NONE); }
static inline Expr *T(void) { return expr_time(lab, UNIT_NONE); }
static inline Expr *param(const char *name) { return expr_param(lab, nm(name), SHAPE_SCALAR, UNIT_NONE, false); }
static inline Expr *unknown(const char *name, int which, Shape shape) {
  return expr_symbol(lab, (Symbol){.kind = SYMBOL_UNKNOWN, .which = (uint16_t)which}, nm(name), shape, UNIT_NONE);
}
static inline Expr *un(ExprOp op, Expr *a) { return expr_unary(lab, op, a); }
static inline Expr *bi(ExprOp op, Expr *a, Expr *b) { return expr_binary(lab, op, a, b); }
static inline Expr *add(Expr *a, Expr *b) { return bi(EXPR_ADD, a, b); }
static inline Expr *sub(Expr *a, Expr *b) { return bi(EXPR_SUB, a, b); }
static inline Expr *mul(Expr *a, Expr *b) { return bi(EXPR_MUL, a, b); }
static inline Expr *quo(Expr *a, Expr *b) { return bi(EXPR_DIV, a, b); }
static inline Expr *neg(Expr *a) { return un(EXPR_NEG, a); }
static inline Expr *powc(Expr *a, double b) { return bi(EXPR_POW, a, C(b)); }
static inline Expr *vec2(Expr *a, Expr *b) { return expr_make(lab, EXPR_VECTOR, (Expr *[]){a, b}, 2); }
static inline Expr *vec3(Expr *a, Expr *b, Expr *c) { return expr_make(lab, EXPR_VECTOR, (Expr *[]){a, b, c}, 3); }

static inline void assert_prints(Expr *e, ExprStyle style, const char *wanted) {
  Buf text = {0};
  expr_print(&text, e, style);
  assert_string_equal(buf_str(&text), wanted);
  buf_free(&text);
}

/* --- values --- */

typedef struct Point { double x[3], t, a; uint64_t seed; } Point;   /* a: value of every parameter; seed: of the terminals */

static inline uint64_t scramble(uint64_t z) {   /* splitmix64 */
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static inline double uniform(uint64_t key) { return (double)(scramble(key) >> 11) / 9007199254740992.0; }

static inline double leaf_value(Expr *leaf, void *user) {
  const Point *p = user;
  const Symbol *s = &leaf->symbol;
  switch (leaf->op) {
    case EXPR_COORD: return p->x[leaf->index[0]];
    case EXPR_TIME: return p->t;
    case EXPR_PARAM: return p->a;
    case EXPR_SIZE: return 0.1 * (1 + leaf->index[0]);
    case EXPR_NORMAL_COMPONENT: return leaf->index[0] ? 0.8 : 0.6;
    case EXPR_REGIONS: return (double)(p->seed % leaf->n);
    case EXPR_TERM: return 0.3 + uniform(p->seed ^ ((uint64_t)s->kind << 40 | (uint64_t)s->which << 32 | (uint64_t)s->component << 24 | (uint64_t)s->side << 20 |
                                                    (uint64_t)s->dx[0] << 16 | (uint64_t)s->dx[1] << 12 | (uint64_t)s->dx[2] << 8 | (uint64_t)s->dt << 4));
    default: return NAN;
  }
}

static inline double value_at(Expr *e, Point p) { return expr_value(e, leaf_value, &p); }
static inline double component_at(Expr *e, int component, int dim, Point p) {
  Expr *s = expr_scalar(lab, e, component, dim);
  assert_non_null(s);
  return value_at(s, p);
}
static inline Point point_of(uint64_t seed) {
  return (Point){{0.2 + uniform(seed * 7 + 1), 0.3 + uniform(seed * 7 + 2), 0.1 + uniform(seed * 7 + 3)}, 0.4 + uniform(seed * 7 + 4), 0.5 + uniform(seed * 7 + 5), seed};
}

static inline void assert_close(double a, double b, double relative) {
  double scale = fmax(1, fmax(fabs(a), fabs(b)));
  if (!(fabs(a - b) <= relative * scale)) fail_msg("%.17g is not %.17g", a, b);
}

/* --- random scalar-level expressions, with the value computed beside them without the pool --- */

bool expr_compute(ExprOp op, const double *a, double *value);

typedef struct Random { uint64_t state; Point at; bool smooth; } Random;
typedef struct Sample { Expr *e; double value; } Sample;

static inline unsigned draw(Random *r, unsigned n) { return (unsigned)(scramble(r->state++) >> 20) % n; }

static inline Sample random_leaf(Random *r) {
  static const double numbers[] = {0, 1, -1, 2, 0.5, -3, 1.7};
  Expr *e;
  switch (draw(r, 7)) {
    case 0: case 1: e = C(numbers[draw(r, 7)]); return (Sample){e, e->value};
    case 2: e = zero(); return (Sample){e, 0};
    case 3: e = X((int)draw(r, 2)); break;
    case 4: e = T(); break;
    case 5: e = param("a"); break;
    default: e = expr_term(lab, (Symbol){.kind = SYMBOL_UNKNOWN, .which = (uint16_t)draw(r, 2)}, nm("u"), UNIT_NONE);
  }
  return (Sample){e, leaf_value(e, &r->at)};
}

static inline Sample random_expr(Random *r, int depth) {
  static const ExprOp ops[] = {EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_NEG, EXPR_POW, EXPR_SIN, EXPR_COS, EXPR_EXP, EXPR_TANH,
                               EXPR_ATAN, EXPR_SQRT, EXPR_LOG, EXPR_ERF, EXPR_CBRT, EXPR_HYPOT, EXPR_ATAN2, EXPR_SINH, EXPR_COSH, EXPR_TAN, EXPR_LOG10, EXPR_ASIN, EXPR_ACOS,
                               EXPR_ABS, EXPR_MIN, EXPR_MAX, EXPR_IF, EXPR_LT, EXPR_GE, EXPR_AND, EXPR_OR, EXPR_NOT, EXPR_SIGN, EXPR_FLOOR, EXPR_CEIL, EXPR_MOD};
  if (depth == 0 || draw(r, 8) == 0) return random_leaf(r);
  ExprOp op = ops[draw(r, r->smooth ? 30 : sizeof ops / sizeof *ops)];
  Sample a[3];
  int n = expr_op_arity(op);
  Expr *args[3];
  double values[3];
  for (int i = 0; i < n; i++) a[i] = random_expr(r, depth - 1);
  if (op == EXPR_IF) a[0] = (Sample){bi(EXPR_LT, a[0].e, a[1].e), a[0].value < a[1].value};
  /* the sign of a zero is not kept: no division by one */
  if ((op == EXPR_DIV || op == EXPR_ATAN2 || op == EXPR_POW || op == EXPR_MOD) && (a[0].value == 0 || a[1].value == 0)) op = EXPR_MUL;
  for (int i = 0; i < n; i++) args[i] = a[i].e, values[i] = a[i].value;
  Sample s = {expr_make(lab, op, args, n), 0};
  assert_non_null(s.e);
  assert_true(expr_compute(op, values, &s.value));
  /* derivatives: no infinities on the way, no root of zero */
  bool cusp = (op == EXPR_SQRT || op == EXPR_CBRT || op == EXPR_HYPOT || op == EXPR_ABS || op == EXPR_ASIN || op == EXPR_ACOS) && (s.value == 0 || fabs(values[0]) == 1);
  return r->smooth && (!isfinite(s.value) || cusp) ? a[0] : s;
}

#endif
