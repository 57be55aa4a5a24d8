/* Evaluation of expressions over boxes: one array of operations, arguments before their users. */
#include "range_tape.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "expr_pool.h"
#include "expr_range.h"

enum { SQUARE = EXPR_OPS };   /* a*a: one argument */

typedef struct Step {
  Expr *e;
  uint8_t op;
  uint8_t n;
  bool varies;         /* with a leaf of the box */
  int leaf;            /* -1: none of the box */
  Interval other;      /* what it may be if it has no arguments and is no leaf of the box */
  int *arg;
} Step;

struct RangeTape {
  int n, nleaves;
  bool decimals;
  double size;
  Step *step;
  int *args;
  Interval *value, *adjoint, *slope;   /* slope: [n][3] */
  double *rounding, *error, *point;
  bool *bad;
};

static bool looked_into(Expr *e, void *user) {
  (void)user;
  return e->op != EXPR_INTEGRAL && e->op != EXPR_HOSTCALL;
}

static int leaf_of(Expr *e, Expr *const *leaves, int nleaves) {
  for (int i = 0; i < nleaves; i++) if (leaves[i] == e) return i;
  return -1;
}

/* An integral by the form of what is integrated, whatever its leaves are: of squares it is not negative. */
static Interval integral(Expr *e) {
  Interval a = expr_range_once(e->arg[0], NULL, 0);
  if (interval_is_empty(a)) return INTERVAL_ALL;
  if (e->index[0]) return a;   /* a mean */
  return (Interval){a.lo >= 0 ? 0 : -INFINITY, a.hi <= 0 ? 0 : INFINITY, a.undefined, a.infinite};
}

/* What a leaf may be that the box does not say. */
static Interval anything(Expr *e) {
  switch (e->op) {
    case EXPR_CONST: return interval_point(e->value);
    case EXPR_ZERO: return interval_point(0);
    case EXPR_NORMAL_COMPONENT: return interval(-1, 1);
    case EXPR_SIZE: return interval(0, INFINITY);
    case EXPR_INTEGRAL: return integral(e);
    case EXPR_HOSTCALL: return (Interval){-INFINITY, INFINITY, true, true};
    default: return INTERVAL_ALL;
  }
}

static Step step_of(const Walk *walk, Expr *e, int *args, Expr *const *leaves, int nleaves, const Step *steps) {
  Step s = {.e = e, .op = e->op, .n = looked_into(e, NULL) ? e->n : 0, .leaf = leaf_of(e, leaves, nleaves), .arg = args};
  if (s.leaf >= 0) s.n = 0;
  if (s.op == EXPR_MUL && s.n && e->arg[0] == e->arg[1]) s.op = SQUARE, s.n = 1;
  if (!s.n && s.leaf < 0) s.other = anything(e);
  s.varies = s.leaf >= 0;
  for (int k = 0; k < s.n; k++) {
    args[k] = walk_at(walk, e->arg[k]);
    s.varies |= steps[args[k]].varies;
  }
  return s;
}

RangeTape *range_tape_new(Expr *e, Expr *const *leaves, int nleaves, double size) {
  Walk walk;
  walk_open(&walk, e, looked_into, NULL);
  int n = walk.n, total = 0;
  for (int i = 0; i < n; i++) total += walk.node[i]->n;
  RangeTape *tape = expr_memory(NULL, sizeof *tape);
  *tape = (RangeTape){.n = n, .nleaves = nleaves, .size = size > 0 ? size : 1};
  size_t m = (size_t)n;
  tape->step = expr_memory(NULL, m * sizeof *tape->step);
  tape->args = expr_memory(NULL, ((size_t)total + 1) * sizeof *tape->args);
  tape->value = expr_memory(NULL, m * 5 * sizeof *tape->value);
  tape->adjoint = tape->value + m;
  tape->slope = tape->adjoint + m;
  tape->rounding = expr_memory(NULL, m * 3 * sizeof *tape->rounding);
  tape->error = tape->rounding + m;
  tape->point = tape->error + m;
  tape->bad = expr_memory(NULL, m * sizeof *tape->bad);
  int *args = tape->args;
  for (int i = 0; i < n; i++) {
    tape->step[i] = step_of(&walk, walk.node[i], args, leaves, nleaves, tape->step);
    args += tape->step[i].n;
  }
  walk_close(&walk);
  return tape;
}

void range_tape_free(RangeTape *tape) {
  if (!tape) return;
  free(tape->step);
  free(tape->args);
  free(tape->value);
  free(tape->rounding);
  free(tape->bad);
  free(tape);
}

void range_tape_decimals(RangeTape *tape) { tape->decimals = true; }

int range_tape_nodes(const RangeTape *tape) { return tape->n; }

/* --- values --- */

static Interval value_of(const RangeTape *tape, const Step *s, const Interval *box) {
  Interval a[3], z = INTERVAL_NONE;
  if (s->leaf >= 0) return box[s->leaf];
  if (s->op == SQUARE) return interval_square(tape->value[s->arg[0]]);
  if (s->op == EXPR_REGIONS) {
    z.undefined = false;
    for (int k = 0; k < s->n; k++) z = interval_hull(z, tape->value[s->arg[k]]);
    return z;
  }
  if (!s->n) return tape->decimals && s->op == EXPR_CONST ? interval_decimal(s->e->value) : s->other;
  for (int k = 0; k < s->n && k < 3; k++) a[k] = tape->value[s->arg[k]];
  if (s->op == EXPR_TABLE) return interval_table(s->e->table, a, s->e->index);
  return interval_compute((ExprOp)s->op, a, tape->size, &z) ? z : INTERVAL_ALL;
}

Interval range_tape_value(RangeTape *tape, const Interval *box) {
  for (int i = 0; i < tape->n; i++) tape->value[i] = value_of(tape, &tape->step[i], box);
  return tape->value[tape->n - 1];
}

/* --- gradients --- */

static bool table_slopes(const Step *s, const Interval *a, Interval z, Interval *d, double *rounding) {
  const ExprTable *table = s->e->table;
  bool value = true;
  for (int k = 0; k < table->dim; k++) value &= s->e->index[k] == 0;
  if (!value && !interval_table_cell(table, a)) return false;   /* derivatives jump at knots */
  for (int k = 0; k < table->dim; k++) {
    int order[3] = {s->e->index[0], s->e->index[1], s->e->index[2]};
    bool none = ++order[k] > (table->dim == 1 ? 3 : 1);
    d[k] = none ? interval_point(0) : interval_table(table, a, order);
  }
  /* of the size of its data, which its value need not be */
  double size = 0;
  for (int k = 0, n = table->n[0] * (table->dim > 1 ? table->n[1] : 1) * (table->dim > 2 ? table->n[2] : 1); k < n; k++) size = fmax(size, fabs(table->value[k]));
  *rounding = value ? 64 * DBL_EPSILON * (1 + size / fmax(interval_magnitude(z), DBL_MIN)) : INFINITY;
  return true;
}

static bool slopes_of(RangeTape *tape, int i) {
  const Step *s = &tape->step[i];
  Interval a[3], *d = tape->slope + 3 * i, z = tape->value[i];
  tape->rounding[i] = 0;
  if (!s->varies || s->leaf >= 0) return true;
  if (s->op == SQUARE) {
    d[0] = interval_mul(interval_point(2), tape->value[s->arg[0]]);
    tape->rounding[i] = DBL_EPSILON;
    return true;
  }
  if (s->op == EXPR_REGIONS) return false;
  for (int k = 0; k < s->n && k < 3; k++) a[k] = tape->value[s->arg[k]];
  if (s->op == EXPR_TABLE) return table_slopes(s, a, z, d, &tape->rounding[i]);
  return interval_slopes((ExprOp)s->op, a, z, d, &tape->rounding[i]);
}

/* The value in double precision differs from the exact one by the errors of the arguments, carried on by the slopes, and one rounding. */
static double error_of(const RangeTape *tape, int i) {
  const Step *s = &tape->step[i];
  double error = tape->rounding[i] > 0 ? tape->rounding[i] * interval_magnitude(tape->value[i]) + DBL_TRUE_MIN : 0;
  for (int k = 0; k < s->n && s->varies; k++) {
    double of_arg = tape->error[s->arg[k]];
    if (of_arg > 0) error += interval_magnitude(tape->slope[3 * i + k]) * of_arg;
  }
  if (!s->varies && s->n) error = fmax(0, tape->value[i].hi - tape->value[i].lo);   /* of numbers alone: both are inside */
  return error * (1 + 1e-12);
}

bool range_tape_gradient(RangeTape *tape, Interval *gradient, double *error) {
  int last = tape->n - 1;
  if (interval_is_empty(tape->value[last]) || tape->value[last].undefined) return false;
  for (int i = 0; i <= last; i++) {
    if (!slopes_of(tape, i)) return false;
    tape->error[i] = error_of(tape, i);
    tape->adjoint[i] = interval_point(0);
  }
  *error = tape->error[last];
  tape->adjoint[last] = interval_point(1);
  for (int k = 0; k < tape->nleaves; k++) gradient[k] = interval_point(0);
  for (int i = last; i >= 0; i--) {
    const Step *s = &tape->step[i];
    Interval by = tape->adjoint[i];
    if (!s->varies || (by.lo == 0 && by.hi == 0)) continue;
    if (s->leaf >= 0) gradient[s->leaf] = by;
    for (int k = 0; k < s->n; k++) {
      if (!tape->step[s->arg[k]].varies) continue;
      Interval d = tape->slope[3 * i + k];
      if (interval_is_empty(d) || isnan(d.lo) || isnan(d.hi) || (isinf(interval_magnitude(d)) && interval_has(by, 0))) return false;
      if (isinf(interval_magnitude(by)) && interval_has(d, 0) && !(d.lo == 0 && d.hi == 0)) return false;
      tape->adjoint[s->arg[k]] = interval_add(tape->adjoint[s->arg[k]], interval_mul(by, d));
    }
  }
  return !isnan(*error);
}

/* --- points --- */

double range_tape_point(RangeTape *tape, const double *x) {
  double a[3];
  for (int i = 0; i < tape->n; i++) {
    const Step *s = &tape->step[i];
    double *z = &tape->point[i];
    bool *bad = &tape->bad[i];
    *bad = false;
    if (s->leaf >= 0) *z = x[s->leaf];
    else if (s->op == EXPR_REGIONS) *z = tape->point[s->arg[0]], *bad = tape->bad[s->arg[0]];
    else if (!s->n) *z = interval_middle(s->other);
    else {
      for (int k = 0; k < s->n && k < 3; k++) a[k] = tape->point[s->arg[k]];
      bool of_if = s->op == EXPR_IF;
      for (int k = 0; k < s->n; k++) *bad |= tape->bad[s->arg[k]] && !(of_if && k == (a[0] != 0 ? 2 : 1));
      if (s->op == SQUARE) *z = a[0] * a[0];
      else if (s->op == EXPR_TABLE) *z = expr_table_value(s->e->table, a, s->e->index);
      else if (s->op == EXPR_EQ || s->op == EXPR_NE) *z = (fabs(a[0] - a[1]) <= 1e-9 * tape->size) == (s->op == EXPR_EQ);
      else expr_compute((ExprOp)s->op, a, z);
    }
    if (!isfinite(*z)) *bad = true;
  }
  return tape->bad[tape->n - 1] ? NAN : tape->point[tape->n - 1];
}
