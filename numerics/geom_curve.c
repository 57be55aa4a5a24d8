#include "geom_curve.h"

#include <math.h>
#include <string.h>

GeomCurve *curve_new(Arena *arena, int pieces) {
  GeomCurve *c = ARENA_ARRAY(arena, GeomCurve, 1);
  c->n = pieces;
  c->u = ARENA_ARRAY(arena, double, pieces + 1);
  c->p = (double(*)[2])ARENA_ARRAY(arena, double, 2 * (pieces + 1));
  c->d = (double(*)[2])ARENA_ARRAY(arena, double, 2 * (pieces + 1));
  return c;
}

/* Natural cubic spline: the tridiagonal system for the derivatives at the knots (de Boor, A Practical Guide to Splines, IV) by elimination and back
 * substitution. */
void curve_spline(GeomCurve *c) {
  int n = c->n;
  c->u[0] = 0;
  for (int i = 0; i < n; i++) c->u[i + 1] = c->u[i] + hypot(c->p[i + 1][0] - c->p[i][0], c->p[i + 1][1] - c->p[i][1]);
  for (int k = 0; k < 2; k++) {
    double ratio[n + 1];   /* of the entry right of the diagonal to the pivot */
    for (int i = 0; i <= n; i++) {
      double before = i > 0 ? c->u[i] - c->u[i - 1] : 0, after = i < n ? c->u[i + 1] - c->u[i] : 0;
      double slope0 = i > 0 ? (c->p[i][k] - c->p[i - 1][k]) / before : 0, slope1 = i < n ? (c->p[i + 1][k] - c->p[i][k]) / after : 0;
      double lower = i == 0 ? 0 : i == n ? 1 : after, upper = i == n ? 0 : i == 0 ? 1 : before, diagonal = i == 0 || i == n ? 2 : 2 * (before + after);
      double right = i == 0 ? 3 * slope1 : i == n ? 3 * slope0 : 3 * (after * slope0 + before * slope1);
      double pivot = diagonal - (i > 0 ? lower * ratio[i - 1] : 0);
      ratio[i] = upper / pivot;
      c->d[i][k] = (right - (i > 0 ? lower * c->d[i - 1][k] : 0)) / pivot;
    }
    for (int i = n - 1; i >= 0; i--) c->d[i][k] -= ratio[i] * c->d[i + 1][k];
  }
}

void curve_bezier(const GeomCurve *c, int i, double b[4][2]) {
  double third = (c->u[i + 1] - c->u[i]) / 3;
  for (int k = 0; k < 2; k++) {
    b[0][k] = c->p[i][k];
    b[1][k] = c->p[i][k] + third * c->d[i][k];
    b[2][k] = c->p[i + 1][k] - third * c->d[i + 1][k];
    b[3][k] = c->p[i + 1][k];
  }
}

/* Point, and first and second derivative with respect to the parameter of the piece, t in [0, 1]. */
static void evaluate(const double b[4][2], double t, double *p, double *d, double *dd) {
  double s = 1 - t;
  for (int k = 0; k < 2; k++) {
    p[k] = s * s * s * b[0][k] + 3 * s * s * t * b[1][k] + 3 * s * t * t * b[2][k] + t * t * t * b[3][k];
    d[k] = 3 * (s * s * (b[1][k] - b[0][k]) + 2 * s * t * (b[2][k] - b[1][k]) + t * t * (b[3][k] - b[2][k]));
    dd[k] = 6 * (s * (b[2][k] - 2 * b[1][k] + b[0][k]) + t * (b[3][k] - 2 * b[2][k] + b[1][k]));
  }
}

void curve_at(const GeomCurve *c, int first, int last, double s, double p[2], double d[2]) {
  double u = c->u[first] + s * (c->u[last] - c->u[first]), b[4][2], dd[2];
  int i = first;
  while (i < last - 1 && c->u[i + 1] < u) i++;
  curve_bezier(c, i, b);
  evaluate((const double(*)[2])b, (u - c->u[i]) / (c->u[i + 1] - c->u[i]), p, d, dd);
}

static double square(const double *a, const double *b) { return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]); }

/* Squared distance from the box of the control points, within which the piece lies. */
static double bound(const double b[4][2], const double *p) {
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    double lo = fmin(fmin(b[0][k], b[1][k]), fmin(b[2][k], b[3][k])), hi = fmax(fmax(b[0][k], b[1][k]), fmax(b[2][k], b[3][k]));
    double off = p[k] < lo ? lo - p[k] : p[k] > hi ? p[k] - hi : 0;
    sum += off * off;
  }
  return sum;
}

/* Newton for (c - p) . c' = 0 on one piece, from the nearest of five points, kept in [0, 1]. */
static double closest_on_piece(const double b[4][2], const double *p, double *out, double *tangent) {
  double best = INFINITY, t = 0, q[2], d[2], dd[2];
  for (int i = 0; i <= 4; i++) {
    evaluate(b, i / 4.0, q, d, dd);
    if (square(q, p) < best) best = square(q, p), t = i / 4.0;
  }
  for (int i = 0; i < 20; i++) {
    evaluate(b, t, q, d, dd);
    double g = (q[0] - p[0]) * d[0] + (q[1] - p[1]) * d[1], speed = d[0] * d[0] + d[1] * d[1], h = speed + (q[0] - p[0]) * dd[0] + (q[1] - p[1]) * dd[1];
    double step = h > 0 ? -g / h : speed > 0 ? -g / speed : 0, next = fmin(1, fmax(0, t + step));
    if (fabs(next - t) < 1e-16) break;
    t = next;
  }
  evaluate(b, t, out, tangent, dd);
  return square(out, p);
}

void curve_closest(const GeomCurve *c, int first, int last, const double p[2], double out[2], double tangent[2]) {
  double best = INFINITY, b[4][2], q[2], d[2];
  for (int i = first; i <= last; i++)   /* the knots first: they make the bound sharp */
    if (square(c->p[i], p) < best) best = square(c->p[i], p), memcpy(out, c->p[i], sizeof q), memcpy(tangent, c->d[i], sizeof d);
  for (int i = first; i < last; i++) {
    curve_bezier(c, i, b);
    if (bound((const double(*)[2])b, p) >= best) continue;
    double r = closest_on_piece((const double(*)[2])b, p, q, d);
    if (r < best) best = r, memcpy(out, q, sizeof q), memcpy(tangent, d, sizeof d);
  }
}

/* A piece right of p is crossed if its ends lie on different sides of the ray; one that may reach left of p is halved (de Casteljau). */
static bool piece_crossed(const double b[4][2], const double *p, int depth) {
  double right = -INFINITY, left = INFINITY, low = INFINITY, high = -INFINITY;
  for (int k = 0; k < 4; k++) {
    right = fmax(right, b[k][0]), left = fmin(left, b[k][0]);
    low = fmin(low, b[k][1]), high = fmax(high, b[k][1]);
  }
  if (right < p[0] || high < p[1] || low >= p[1]) return false;
  if (left > p[0] || depth == 48) return (b[0][1] < p[1]) != (b[3][1] < p[1]);
  double l[4][2], r[4][2];
  for (int k = 0; k < 2; k++) {
    double mid = (b[1][k] + b[2][k]) / 2;
    l[0][k] = b[0][k], r[3][k] = b[3][k];
    l[1][k] = (b[0][k] + b[1][k]) / 2, r[2][k] = (b[2][k] + b[3][k]) / 2;
    l[2][k] = (l[1][k] + mid) / 2, r[1][k] = (r[2][k] + mid) / 2;
    l[3][k] = r[0][k] = (l[2][k] + r[1][k]) / 2;
  }
  return piece_crossed((const double(*)[2])l, p, depth + 1) != piece_crossed((const double(*)[2])r, p, depth + 1);
}

bool curve_crossed(const GeomCurve *c, int first, int last, const double p[2]) {
  bool odd = false;
  for (int i = first; i < last; i++) {
    double b[4][2];
    curve_bezier(c, i, b);
    odd ^= piece_crossed((const double(*)[2])b, p, 0);
  }
  return odd;
}

void curve_extent(const GeomCurve *c, int first, int last, const double direction[2], double *lo, double *hi) {
  *lo = INFINITY, *hi = -INFINITY;
  for (int i = first; i < last; i++) {
    double b[4][2], v[4], t[4] = {0, 1, 0, 0};
    curve_bezier(c, i, b);
    for (int k = 0; k < 4; k++) v[k] = direction[0] * b[k][0] + direction[1] * b[k][1];
    /* zeros of the derivative, a quadratic in t */
    double a0 = v[1] - v[0], a1 = v[2] - v[1], a2 = v[3] - v[2], a = a0 - 2 * a1 + a2, h = a0 - a1, root = sqrt(fmax(0, h * h - a * a0));
    double q = h + (h < 0 ? -root : root);
    t[2] = q != 0 ? a0 / q : 0, t[3] = a != 0 ? q / a : 0;
    for (int k = 0; k < 4; k++) {
      double x = fmin(1, fmax(0, t[k])), s = 1 - x, f = s * s * s * v[0] + 3 * s * s * x * v[1] + 3 * s * x * x * v[2] + x * x * x * v[3];
      *lo = fmin(*lo, f), *hi = fmax(*hi, f);
    }
  }
}

double curve_integral(const GeomCurve *c, int first, int last, double (*f)(const double *, const double *, void *), void *user) {
  static const double x[5] = {0.5, 0.23076534494715845, 0.76923465505284155, 0.04691007703066800, 0.95308992296933200};
  static const double w[5] = {0.28444444444444444, 0.23931433524968324, 0.23931433524968324, 0.11846344252809454, 0.11846344252809454};
  double sum = 0;
  for (int i = first; i < last; i++) {
    double b[4][2], p[2], d[2], dd[2];
    curve_bezier(c, i, b);
    for (int k = 0; k < 5; k++) {
      evaluate((const double(*)[2])b, x[k], p, d, dd);
      sum += w[k] * f(p, d, user);
    }
  }
  return sum;
}
