/* Measured data in kernels: the interval by binary search without branches over knots padded to a power of two, then a polynomial on it. Whatever the
 * argument is, NaN too, the search ends inside the table. */
#include <math.h>
#include <stdlib.h>

#include "lower.h"

typedef struct Found { KirValue at, knot; } Found;      /* number of the interval; its first knot */

static KirValue op(Lower *lo, KirOp o, KirValue a, KirValue b) { return kir_op(lo->b, o, a, b, KIR_NONE); }

static Found search(Lower *lo, const double *knot, int n, KirValue x) {
  int padded = 1;
  while (padded < n) padded *= 2;
  double *sorted = kir_memory(NULL, sizeof(double) * (size_t)padded);
  for (int i = 0; i < padded; i++) sorted[i] = i < n - 1 ? knot[i] : INFINITY;      /* the last knot begins no interval */
  int base = kir_table(lo->b, sorted, padded);
  free(sorted);
  KirValue at = kir_const(lo->b, 0);
  for (int step = padded / 2; step; step /= 2) {
    KirValue width = kir_const(lo->b, step), beyond = op(lo, KIR_LE, kir_gather(lo->b, base, padded, kir_add(lo->b, at, width)), x);
    at = kir_mul_add(lo->b, beyond, width, at);
  }
  return (Found){at, kir_gather(lo->b, base, padded, at)};
}

/* 1 inside, 0 outside; rounding beyond the ends is inside. */
static KirValue inside(Lower *lo, const double *knot, int n, KirValue x) {
  double slack = 1e-9 * (knot[n - 1] - knot[0]);
  KirValue low = op(lo, KIR_LE, kir_const(lo->b, knot[0] - slack), x), high = op(lo, KIR_LE, x, kir_const(lo->b, knot[n - 1] + slack));
  return op(lo, KIR_AND, low, high);
}

/* sum over j >= order of j!/(j - order)! c[j] s^(j - order), by Horner's rule. */
static KirValue polynomial(Lower *lo, const ExprTable *table, int order, Found found, KirValue x) {
  int intervals = table->n[0] - 1, base = kir_table(lo->b, table->coef, 4 * intervals);
  KirValue s = kir_sub(lo->b, x, found.knot), first = kir_mul(lo->b, kir_const(lo->b, 4), found.at), sum = KIR_NONE;
  bool linear = true;
  for (int i = 0; i < intervals; i++) linear = linear && table->coef[4 * i + 2] == 0 && table->coef[4 * i + 3] == 0;
  for (int j = linear ? 1 : 3; j >= order; j--) {
    double factor = 1;
    for (int k = 0; k < order; k++) factor *= j - k;
    KirValue c = kir_mul(lo->b, kir_const(lo->b, factor), kir_gather(lo->b, base + j, 4 * intervals - j, first));
    sum = kir_mul_add(lo->b, sum, s, c);
  }
  return sum;
}

/* Products of linear functions: the corners of the cell, one variable after the other. */
static KirValue multilinear(Lower *lo, const ExprTable *table, const int *order, const Found *found, const KirValue *x) {
  int dim = table->dim, total = 1, stride[3] = {0}, base;
  KirValue first = KIR_NONE, corner[8];
  for (int d = dim - 1; d >= 0; d--) stride[d] = total, total *= table->n[d];
  base = kir_table(lo->b, table->value, total);
  for (int d = 0; d < dim; d++) first = kir_mul_add(lo->b, kir_const(lo->b, stride[d]), found[d].at, first);
  for (int k = 0; k < 1 << dim; k++) {
    int offset = 0;
    for (int d = 0; d < dim; d++) offset += (k >> d & 1) * stride[d];
    corner[k] = kir_gather(lo->b, base + offset, total - offset, lower_zero(lo, first));
  }
  for (int d = dim - 1; d >= 0; d--) {
    double *inverse = kir_memory(NULL, sizeof(double) * (size_t)table->n[d]);
    for (int i = 0; i + 1 < table->n[d]; i++) inverse[i] = 1 / (table->knot[d][i + 1] - table->knot[d][i]);
    KirValue width = kir_gather(lo->b, kir_table(lo->b, inverse, table->n[d] - 1), table->n[d] - 1, found[d].at);
    KirValue share = kir_mul(lo->b, kir_sub(lo->b, x[d], found[d].knot), width);
    free(inverse);
    for (int k = 0; k < 1 << d; k++) {
      KirValue rise = kir_sub(lo->b, corner[k + (1 << d)], corner[k]);
      corner[k] = order[d] ? kir_mul(lo->b, rise, width) : kir_mul_add(lo->b, rise, share, corner[k]);
    }
  }
  return corner[0];
}

KirValue lower_lookup(Lower *lo, Expr *e, const KirValue *args) {
  static const double none[2] = {NAN, 0};
  const ExprTable *table = e->table;
  Found found[3];
  KirValue x[3], within = KIR_NONE;
  bool slope = false;
  for (int d = 0; d < table->dim; d++) {
    const double *knot = table->knot[d];
    int n = table->n[d];
    KirValue here = inside(lo, knot, n, lower_zero(lo, args[d]));
    within = within == KIR_NONE ? here : op(lo, KIR_AND, within, here);
    slope |= e->index[d] > 0;
    x[d] = lower_zero(lo, args[d]);
    if (table->hold) x[d] = op(lo, KIR_MIN, op(lo, KIR_MAX, x[d], kir_const(lo->b, knot[0])), kir_const(lo->b, knot[n - 1]));
    found[d] = search(lo, knot, n, x[d]);
  }
  KirValue value = table->dim == 1 ? polynomial(lo, table, e->index[0], found[0], x[0]) : multilinear(lo, table, e->index, found, x);
  if (value == KIR_NONE) return KIR_NONE;
  if (!table->hold) return kir_add(lo->b, value, kir_gather(lo->b, kir_table(lo->b, none, 2), 2, within));
  return slope ? kir_mul(lo->b, within, value) : value;
}
