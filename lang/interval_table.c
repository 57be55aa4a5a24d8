/* Tables over boxes: cell by cell, each polynomial by Horner's rule and around its middle, each product of linear functions by its corners. */
#include <float.h>

#include "interval.h"

/* Knots that the interval reaches: cells first..last; the ends of the outer ones are open by the slack that the table allows. */
static bool cells(const ExprTable *table, int d, Interval x, int *first, int *last, bool *outside) {
  const double *knot = table->knot[d];
  int n = table->n[d], lo = 0, hi = n - 2;
  double slack = 1e-9 * (knot[n - 1] - knot[0]);
  *outside = !(x.lo >= knot[0] - slack && x.hi <= knot[n - 1] + slack);
  if (x.hi < knot[0] - 2 * slack || x.lo > knot[n - 1] + 2 * slack) return false;
  while (lo < n - 2 && knot[lo + 1] < x.lo) lo++;
  while (hi > 0 && knot[hi] > x.hi) hi--;
  *first = lo;
  *last = hi < lo ? lo : hi;
  return true;
}

static Interval clipped(const ExprTable *table, int d, int cell, Interval x) {
  const double *knot = table->knot[d];
  double slack = table->hold ? 0 : 2e-9 * (knot[table->n[d] - 1] - knot[0]);
  double lo = knot[cell] - (cell == 0 ? slack : 0), hi = knot[cell + 1] + (cell == table->n[d] - 2 ? slack : 0);
  return interval(fmin(fmax(x.lo, lo), hi), fmax(fmin(x.hi, hi), lo));
}

/* c0 + c1 s + c2 s^2 + c3 s^3, derived `order` times, by Horner and around the middle. */
static Interval polynomial(const double *c, int order, Interval s) {
  double k[4] = {0}, factor;
  int n = 0;
  for (int j = order; j < 4; j++) {
    factor = 1;
    for (int m = 0; m < order; m++) factor *= j - m;
    k[n++] = factor * c[j];
  }
  Interval at = interval_point(interval_middle(s)), value = interval_point(0), near = value, rise = value, sum = value;
  for (int j = n - 1; j >= 0; j--) {
    value = interval_add(interval_mul(value, s), interval_point(k[j]));
    near = interval_add(interval_mul(near, at), interval_point(k[j]));
    if (j) rise = interval_add(interval_mul(rise, s), interval_point(j * k[j]));
  }
  sum = interval_add(near, interval_mul(rise, interval_sub(s, at)));
  Interval z = interval_meet(value, sum);
  double size = 0, reach = interval_magnitude(s), power = 1;
  for (int j = 0; j < n; j++, power *= reach) size += fabs(k[j]) * power;
  size *= 16 * DBL_EPSILON;   /* rounding of the table's own evaluation */
  return interval(z.lo - size, z.hi + size);
}

/* Products of linear functions take their extremes at corners. */
static Interval multilinear(const ExprTable *table, const int *cell, const Interval *x, const int order[3]) {
  int dim = table->dim;
  Interval z = INTERVAL_NONE;
  double size = 0;
  z.undefined = false;
  for (int side = 0; side < 1 << dim; side++) {   /* corner of the clipped box */
    double corner[8];
    for (int k = 0; k < 1 << dim; k++) {
      size_t index = 0;
      for (int d = 0; d < dim; d++) index = index * (size_t)table->n[d] + (size_t)(cell[d] + (k >> d & 1));
      corner[k] = table->value[index];
      size = fmax(size, fabs(corner[k]));
    }
    for (int d = dim - 1; d >= 0; d--) {
      double h = table->knot[d][cell[d] + 1] - table->knot[d][cell[d]], at = side >> d & 1 ? x[d].hi : x[d].lo, share = (at - table->knot[d][cell[d]]) / h;
      for (int k = 0; k < 1 << d; k++) {
        double rise = corner[k + (1 << d)] - corner[k];
        corner[k] = order[d] ? rise / h : corner[k] + share * rise;
        if (order[d]) size = fmax(size, 2 * size / h);
      }
    }
    z = interval_hull(z, interval_point(corner[0]));
  }
  size *= 64 * DBL_EPSILON;
  return interval(z.lo - size, z.hi + size);
}

bool interval_table_cell(const ExprTable *table, const Interval *x) {
  for (int d = 0; d < table->dim; d++) {
    int first, last;
    bool outside;
    if (interval_is_empty(x[d]) || !cells(table, d, x[d], &first, &last, &outside) || outside || first != last) return false;
  }
  return true;
}

Interval interval_table(const ExprTable *table, const Interval *x, const int order[3]) {
  int first[3] = {0}, last[3] = {0}, cell[3];
  bool outside = false, slope = false, undefined = false;
  Interval at[3], z = INTERVAL_NONE;
  for (int d = 0; d < table->dim; d++) {
    Interval xd = x[d];
    bool beyond;
    undefined |= xd.undefined;
    if (interval_is_empty(xd)) return INTERVAL_NONE;
    double lo = table->knot[d][0], hi = table->knot[d][table->n[d] - 1];
    if (table->hold) xd = interval(fmin(fmax(xd.lo, lo), hi), fmin(fmax(xd.hi, lo), hi));
    if (!cells(table, d, xd, &first[d], &last[d], &beyond)) return INTERVAL_NONE;
    double slack = 1e-9 * (hi - lo);
    outside |= !(x[d].lo >= lo - slack && x[d].hi <= hi + slack);
    slope |= order[d] > 0;
  }
  z.undefined = false;
  for (cell[0] = first[0]; cell[0] <= last[0]; cell[0]++)
    for (cell[1] = first[1]; cell[1] <= last[1]; cell[1]++)
      for (cell[2] = first[2]; cell[2] <= last[2]; cell[2]++) {
        for (int d = 0; d < table->dim; d++) at[d] = clipped(table, d, cell[d], x[d]);
        Interval s = interval_sub(at[0], interval_point(table->knot[0][cell[0]]));
        z = interval_hull(z, table->dim == 1 ? polynomial(table->coef + 4 * cell[0], order[0], s) : multilinear(table, cell, at, order));
      }
  if (outside && table->hold && slope) z = interval_hull(z, interval_point(0));
  z.undefined = undefined || (outside && !table->hold);
  return z;
}
