/* Measured data as functions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr_pool.h"
#include "sha256.h"

/* Slope at an end from three points, kept within what preserves the shape. */
static double end_slope(double h0, double h1, double d0, double d1) {
  double s = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (s * d0 <= 0) return 0;
  return d0 * d1 <= 0 && fabs(s) > 3 * fabs(d0) ? 3 * d0 : s;
}

/* Slopes of a monotone cubic: weighted harmonic means of the neighbouring differences (Fritsch, Butland 1984), which lie in the region that Fritsch and
 * Carlson (1980) have shown to keep each interval monotone; zero at extrema. */
static void monotone_slopes(const double *x, const double *y, int n, double *slope) {
  double *h = expr_memory(NULL, 2 * sizeof *h * (size_t)n), *d = h + n;
  for (int i = 0; i + 1 < n; i++) h[i] = x[i + 1] - x[i], d[i] = (y[i + 1] - y[i]) / h[i];
  slope[0] = n > 2 ? end_slope(h[0], h[1], d[0], d[1]) : d[0];
  slope[n - 1] = n > 2 ? end_slope(h[n - 2], h[n - 3], d[n - 2], d[n - 3]) : d[0];
  for (int i = 1; i + 1 < n; i++) {
    double a = 2 * h[i] + h[i - 1], b = h[i] + 2 * h[i - 1];
    slope[i] = d[i - 1] * d[i] <= 0 ? 0 : (a + b) / (a / d[i - 1] + b / d[i]);
  }
  free(h);
}

static void coefficients(const double *x, const double *y, int n, bool cubic, double *out) {
  double *slope = expr_memory(NULL, sizeof *slope * (size_t)n);
  if (cubic) monotone_slopes(x, y, n, slope);
  for (int i = 0; i + 1 < n; i++) {
    double h = x[i + 1] - x[i], d = (y[i + 1] - y[i]) / h, *c = out + 4 * i;
    c[0] = y[i];
    c[1] = cubic ? slope[i] : d;
    c[2] = cubic ? (3 * d - 2 * slope[i] - slope[i + 1]) / h : 0;
    c[3] = cubic ? (slope[i] + slope[i + 1] - 2 * d) / (h * h) : 0;
  }
  free(slope);
}

static const double *kept(ExprPool *pool, const double *from, int n) {
  double *to = ARENA_ARRAY(pool->arena, double, n);
  return memcpy(to, from, sizeof *to * (size_t)n);
}

const ExprTable *expr_table_new(ExprPool *pool, const ExprTable *from, bool cubic) {
  ExprTable *table = ARENA_ARRAY(pool->arena, ExprTable, 1);
  int total = 1;
  char hex[65];
  Sha256 sha;
  uint8_t digest[32];
  *table = *from;
  sha256_start(&sha);
  for (int d = 0; d < from->dim; d++) {
    table->knot[d] = kept(pool, from->knot[d], from->n[d]);
    total *= from->n[d];
    sha256_add(&sha, &from->n[d], sizeof from->n[d]);
    sha256_add(&sha, from->knot[d], sizeof(double) * (size_t)from->n[d]);
  }
  table->value = kept(pool, from->value, total);
  sha256_add(&sha, from->value, sizeof(double) * (size_t)total);
  sha256_add(&sha, &(uint8_t[2]){cubic, from->hold}, 2);
  sha256_end(&sha, digest);
  for (int i = 0; i < 32; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
  table->id = intern_text(pool->names, hex);
  table->coef = NULL;
  if (from->dim > 1) return table;
  double *coef = ARENA_ARRAY(pool->arena, double, 4 * (from->n[0] - 1));
  coefficients(from->knot[0], from->value, from->n[0], cubic, coef);
  table->coef = coef;
  return table;
}

Expr *expr_table(ExprPool *pool, const ExprTable *table, Expr *const *args, int n) {
  if (n != table->dim) return expr_fail(pool, EXPR_ARITY, -1, "%s takes %d argument%s; %d given", table->name, table->dim, table->dim == 1 ? "" : "s", n);
  for (int i = 0; i < n; i++) {
    if (args[i]->shape.rank) return expr_fail(pool, EXPR_SHAPE, i, "argument %d of %s is no scalar", i + 1, table->name);
    if (pool->lenient || unit_fits(args[i]->unit, table->in[i])) continue;
    Buf have = {0}, want = {0};
    unit_print(&have, args[i]->unit);
    unit_print(&want, table->in[i]);
    expr_fail(pool, EXPR_UNIT, i, "%s is a table over %s; its argument carries %s", table->name, buf_str(&want), buf_str(&have));
    buf_free(&have), buf_free(&want);
    return NULL;
  }
  struct Expr draft = {.op = EXPR_TABLE, .n = (uint8_t)n, .unit = table->out, .name = table->name, .table = table};
  return expr_intern(pool, &draft, args);
}

static int interval(const double *knot, int n, double x) {
  int lo = 0, hi = n - 1;
  while (hi - lo > 1) {
    int middle = (lo + hi) / 2;
    if (knot[middle] <= x) lo = middle;
    else hi = middle;
  }
  return lo;
}

static double polynomial(const ExprTable *table, int order, int at, double s) {
  double sum = 0;
  for (int j = 3; j >= order; j--) {
    double factor = 1;
    for (int k = 0; k < order; k++) factor *= j - k;
    sum = sum * s + factor * table->coef[4 * at + j];
  }
  return sum;
}

ScatterFault expr_scatter_new(ExprPool *pool, const ExprTable *from, const double (*x)[2], const double *value, int n, int which[2], const ExprTable **out) {
  const Scattered *scatter;
  bool same_unit = unit_fits(from->in[0], from->in[1]);
  ScatterFault fault = scatter_new(pool->arena, x, value, n, same_unit, which, &scatter);
  if (fault) return fault;
  ExprTable *table = ARENA_ARRAY(pool->arena, ExprTable, 1);
  char hex[65];
  Sha256 sha;
  uint8_t digest[32];
  *table = *from;
  table->scatter = scatter;
  for (int d = 0; d < 2; d++) {
    table->n[d] = 2;
    table->knot[d] = kept(pool, (double[2]){scatter->lo[d], scatter->hi[d]}, 2);
  }
  table->value = table->coef = NULL;
  sha256_start(&sha);
  sha256_add(&sha, x, sizeof *x * (size_t)n);
  sha256_add(&sha, value, sizeof *value * (size_t)n);
  sha256_add(&sha, &(uint8_t[2]){same_unit, from->hold}, 2);
  sha256_end(&sha, digest);
  for (int i = 0; i < 32; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
  table->id = intern_text(pool->names, hex);
  *out = table;
  return SCATTER_FINE;
}

double expr_table_value(const ExprTable *table, const double *x, const int order[3]) {
  if (table->scatter) return scatter_value(table->scatter, x, order, table->hold);
  int at[3], dim = table->dim;
  double place[3], corner[8];
  bool slope = false, outside = false;
  for (int d = 0; d < dim; d++) {
    double lo = table->knot[d][0], hi = table->knot[d][table->n[d] - 1], slack = 1e-9 * (hi - lo);
    if (!(x[d] >= lo - slack && x[d] <= hi + slack)) outside = true;
    place[d] = table->hold ? fmin(fmax(x[d], lo), hi) : x[d];
    at[d] = interval(table->knot[d], table->n[d], place[d]);
    slope |= order[d] > 0;
  }
  if (outside && (!table->hold || slope)) return table->hold ? 0 : NAN;
  if (dim == 1) return polynomial(table, order[0], at[0], place[0] - table->knot[0][at[0]]);
  for (int k = 0; k < 1 << dim; k++) {
    size_t index = 0;
    for (int d = 0; d < dim; d++) index = index * (size_t)table->n[d] + (size_t)(at[d] + (k >> d & 1));
    corner[k] = table->value[index];
  }
  for (int d = dim - 1; d >= 0; d--) {
    double h = table->knot[d][at[d] + 1] - table->knot[d][at[d]], share = (place[d] - table->knot[d][at[d]]) / h;
    for (int k = 0; k < 1 << d; k++) {
      double rise = corner[k + (1 << d)] - corner[k];
      corner[k] = order[d] ? rise / h : corner[k] + share * rise;
    }
  }
  return corner[0];
}
