/* Values and rates between the times of a grid, as weights of the values at its times. */
#include <math.h>
#include <string.h>

#include "tape_internal.h"

static void blend_add(Blend *blend, int at, double weight) {
  if (weight == 0) return;
  for (int k = 0; k < blend->n; k++)
    if (blend->at[k] == at) {
      blend->weight[k] += weight;
      return;
    }
  blend->at[blend->n] = at;
  blend->weight[blend->n++] = weight;
}

/* The interval that contains `at`, and how far into it: 0..1; within 1e-12 of a time it is that time. */
static int interval(const double *t, int nt, double at, double *part) {
  int lo = 0, hi = nt - 1;
  *part = 0;
  if (nt < 2 || at <= t[0]) return 0;
  if (at >= t[hi]) return hi;
  while (hi - lo > 1) {
    int middle = (lo + hi) / 2;
    if (t[middle] <= at) lo = middle;
    else hi = middle;
  }
  *part = (at - t[lo]) / (t[hi] - t[lo]);
  if (*part < 1e-12) *part = 0;
  if (*part > 1 - 1e-12) lo = hi, *part = 0;
  return lo;
}

void blend_linear(const double *t, int nt, double at, bool zero_before, Blend *out) {
  double part;
  out->n = 0;
  if (zero_before && nt > 1 && at < t[0] - 1e-12 * (t[nt - 1] - t[0])) return;
  int k = interval(t, nt, at, &part);
  blend_add(out, k, 1 - part);
  if (part > 0) blend_add(out, k + 1, part);
}

/* Weights of the order-th derivative at z on the points x[n] (Fornberg, Generation of finite difference formulas on arbitrarily spaced grids, 1988). */
static void fornberg(double z, const double *x, int n, int order, double *weight) {
  double c[8][4] = {{0}}, c1 = 1, c4 = x[0] - z;
  c[0][0] = 1;
  for (int i = 1; i < n; i++) {
    int most = i < order ? i : order;
    double c2 = 1, c5 = c4;
    c4 = x[i] - z;
    for (int j = 0; j < i; j++) {
      double c3 = x[i] - x[j];
      c2 *= c3;
      if (j == i - 1) {
        for (int k = most; k > 0; k--) c[i][k] = c1 * (k * c[i - 1][k - 1] - c5 * c[i - 1][k]) / c2;
        c[i][0] = -c1 * c5 * c[i - 1][0] / c2;
      }
      for (int k = most; k > 0; k--) c[j][k] = (c4 * c[j][k] - k * c[j][k - 1]) / c3;
      c[j][0] = c4 * c[j][0] / c3;
    }
    c1 = c2;
  }
  for (int j = 0; j < n; j++) weight[j] = c[j][order];
}

/* At time k: order + 2 points are of second order; in the middle of an even grid order + 1 are, for even orders. */
static void rate_at(const double *t, int nt, int k, int order, double scale, Blend *out) {
  int n = order + 2, first;
  double weight[8];
  bool even = order == 2 && k > 0 && k < nt - 1 && fabs(t[k + 1] - 2 * t[k] + t[k - 1]) <= 1e-9 * (t[k + 1] - t[k - 1]);
  if (even) n = 3;
  if (n > nt) n = nt;
  first = k - (n - 1) / 2;
  if (first < 0) first = 0;
  if (first > nt - n) first = nt - n;
  fornberg(t[k], t + first, n, order, weight);
  for (int j = 0; j < n; j++) blend_add(out, first + j, scale * weight[j]);
}

bool blend_rate(const double *t, int nt, double at, int order, Blend *out) {
  double part;
  out->n = 0;
  if (order > 3 || nt < order + 1) return false;
  int k = interval(t, nt, at, &part);
  rate_at(t, nt, k, order, 1 - part, out);
  if (part > 0) rate_at(t, nt, k + 1, order, part, out);
  return true;
}
