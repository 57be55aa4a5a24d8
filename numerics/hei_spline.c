/* B-splines by the recurrence of Cox and de Boor on integer knots, where a function is a shift of the cardinal one. */
#include "hei_spline.h"

#include <math.h>
#include <string.h>

/* Values at s in [0, 1) of the degree + 1 cardinal B-splines that live on a knot interval, from the leftmost. */
static void cardinal(int degree, double s, double *value) {
  value[0] = 1;
  for (int d = 1; d <= degree; d++) {
    value[d] = 0;
    for (int k = d; k >= 0; k--) {
      double left = k ? value[k - 1] : 0, right = value[k];
      value[k] = ((s + d - k) * left + (1 - s + k) * right) / d;
    }
  }
}

void hei_spline(int intervals, int degree, int order, double a, double b, int n, const double *x, double *out) {
  int width = intervals + degree;
  double h = (b - a) / intervals;
  memset(out, 0, sizeof(double) * (size_t)n * width);
  if (order > degree) return;
  for (int i = 0; i < n; i++) {
    double s = fmin(fmax((x[i] - a) / h, 0), intervals * (1 - 1e-12)), value[HEI_DEGREE_MAX + 2] = {0};
    int cell = (int)s;
    cardinal(degree - order, s - cell, value);
    /* B_d' = (B_(d-1) - its right neighbour) / h, once for each order. */
    for (int d = degree - order + 1; d <= degree; d++)
      for (int k = d; k >= 0; k--) value[k] = ((k ? value[k - 1] : 0) - (k < d ? value[k] : 0)) / h;
    for (int k = 0; k <= degree; k++) out[(size_t)i * width + cell + k] = value[k];
  }
}

void hei_penalty(int n, int order, double *out) {
  double difference[HEI_DEGREE_MAX + 1] = {1};
  for (int m = 1; m <= order; m++)
    for (int k = m; k >= 0; k--) difference[k] = (k ? difference[k - 1] : 0) - (k < m ? difference[k] : 0);
  memset(out, 0, sizeof(double) * (size_t)n * n);
  for (int row = 0; row + order < n; row++)
    for (int i = 0; i <= order; i++)
      for (int j = 0; j <= order; j++) out[(size_t)(row + i) * n + row + j] += difference[i] * difference[j];
}
