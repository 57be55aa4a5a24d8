/* What kind of law it is, with the fields that were fitted: does a constant state stay, does it conserve, is it well-posed forward in time. Measured on the
 * operator N of u_t = N(u) at a denoised state in the middle of the data, so that it holds for every law of the language. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hei_terms.h"

typedef struct Plane { HeiNodes x, y; long n; double *jet[HEI_JETS], *rate; } Plane;

static void plane_open(const Hei *hei, int trajectory, Plane *plane) {
  const HeiSmooth *smooth = &hei->smooth[trajectory];
  const HeiAxis *t = smooth->t;
  int nx = hei->axis[0].n, ny = hei->axis[1].n;
  *plane = (Plane){.x = hei_nodes(nx), .y = hei_nodes(ny)};
  plane->n = (long)plane->x.n * plane->y.n;
  double *all = malloc(sizeof(double) * nx * ny), *work = malloc(sizeof(double) * nx * smooth->y->nbasis);
  for (int order = 0; order < 2; order++) {
    double *slices = hei_slices(smooth, 1, t->u[order] + (size_t)(t->n / 2) * t->nbasis);
    for (int jet = 0, degree = 0, j = 0; jet < (order ? 1 : HEI_JETS); jet++) {
      double *out = malloc(sizeof(double) * plane->n);
      if (ny > 1 || !j) hei_slice(smooth, slices, 0, degree - j, j, work, all);
      for (int a = 0; a < plane->x.n; a++)
        for (int b = 0; b < plane->y.n; b++) out[(long)a * plane->y.n + b] = ny > 1 || !j ? all[(size_t)(plane->x.first + a * plane->x.step) * ny + plane->y.first + b * plane->y.step] : 0;
      if (order) plane->rate = out;
      else plane->jet[jet] = out;
      if (++j > degree) degree++, j = 0;
    }
    free(slices);
  }
  free(all), free(work);
}

static void plane_close(Plane *plane) {
  for (int jet = 0; jet < HEI_JETS; jet++) free(plane->jet[jet]);
  free(plane->rate);
}

/* N at a state given by its derivatives. */
static void apply(const HeiTerms *terms, long n, double *const *jet, double *out) {
  double *feature = malloc(sizeof(double) * n);
  memset(out, 0, sizeof(double) * n);
  for (int k = 0; k < terms->n; k++) {
    const RolloutTerm *term = &terms->term[k];
    if (term->linear) {
      memset(feature, 0, sizeof(double) * n);
      for (int i = 0; i < HEI_JETS; i++)
        for (long at = 0; term->linear[i] != 0 && at < n; at++) feature[at] += term->linear[i] * jet[i][at];
    } else term->values(term->user, (const double *const *)jet, n, feature);
    for (long at = 0; at < n; at++) out[at] += term->coefficient[at] * feature[at];
  }
  free(feature);
}

static double rms(const double *u, long n) {
  double sum = 0;
  for (long k = 0; k < n; k++) sum += u[k] * u[k];
  return sqrt(sum / (double)n);
}

/* ---- a constant state -------------------------------------------------------------------------------------------------------------------------------------- */

static double constant_rate(const HeiTerms *terms, const Plane *plane) {
  double *jet[HEI_JETS], *zero = calloc(plane->n, sizeof(double)), *level = malloc(sizeof(double) * plane->n), *out = malloc(sizeof(double) * plane->n), most = 0;
  for (int i = 0; i < HEI_JETS; i++) jet[i] = i ? zero : level;
  for (long at = 0; at < plane->n; at++) level[at] = rms(plane->jet[0], plane->n);
  apply(terms, plane->n, jet, out);
  for (long at = 0; at < plane->n; at++) most = fmax(most, fabs(out[at]));
  free(zero), free(level), free(out);
  return most / rms(plane->rate, plane->n);
}

/* ---- conservation ------------------------------------------------------------------------------------------------------------------------------------------ */

/* Derivatives 0..4 of (1 - s^2)^8 by x, s = (x - middle)/half; zero with seven derivatives at the ends. */
static void bump(double x, double middle, double half, double out[HEI_ORDER + 1]) {
  double c[17] = {0}, s = (x - middle) / half;
  memset(out, 0, sizeof(double) * (HEI_ORDER + 1));
  if (fabs(s) >= 1) return;
  for (int k = 0, binomial = 1; k <= 8; k++) {
    c[2 * k] = k % 2 ? -binomial : binomial;
    binomial = binomial * (8 - k) / (k + 1);
  }
  for (int order = 0; order <= HEI_ORDER; order++) {
    for (int k = 16; k >= 0; k--) out[order] = out[order] * s + c[k];
    out[order] /= pow(half, order);
    for (int k = 0; k < 16; k++) c[k] = (k + 1) * c[k + 1];
    c[16] = 0;
  }
}

/* A law u_t = div F changes the sum of u through the sides alone: a change of the state inside, with all of its derivatives zero at the sides, does not change
 * the sum of N. What it changes, over the sum of sizes. */
static double leak(const HeiTerms *terms, const Plane *plane, double dx, double dy) {
  long n = plane->n;
  int ny = plane->y.n;
  double size = rms(plane->jet[0], n), *jet[HEI_JETS], *before = malloc(sizeof(double) * n), *after = malloc(sizeof(double) * n), change = 0, sizes = 0;
  for (int i = 0; i < HEI_JETS; i++) jet[i] = malloc(sizeof(double) * n);
  for (int a = 0; a < plane->x.n; a++)
    for (int b = 0; b < ny; b++) {
      double p[HEI_ORDER + 1], q[HEI_ORDER + 1] = {1};
      bump(a * dx, 0.5 * (plane->x.n - 1) * dx, 0.49 * (plane->x.n - 1) * dx, p);
      if (ny > 1) bump(b * dy, 0.5 * (ny - 1) * dy, 0.49 * (ny - 1) * dy, q);
      for (int i = 0; i <= HEI_ORDER; i++)
        for (int j = 0; i + j <= HEI_ORDER; j++) jet[hei_jet(i, j)][(long)a * ny + b] = plane->jet[hei_jet(i, j)][(long)a * ny + b] + size * p[i] * q[j];
    }
  apply(terms, n, plane->jet, before), apply(terms, n, jet, after);
  for (long at = 0; at < n; at++) change += after[at] - before[at], sizes += fabs(after[at] - before[at]);
  for (int i = 0; i < HEI_JETS; i++) free(jet[i]);
  free(before), free(after);
  return sizes > 0 ? fabs(change) / sizes : 0;
}

/* ---- well-posedness ---------------------------------------------------------------------------------------------------------------------------------------- */

/* dN/d(jet) at the state, by central differences: exact up to round-off where N is a quadratic function of it. */
static void slope(const HeiTerms *terms, const Plane *plane, int jet, double *out) {
  double step = 1e-4 * fmax(rms(plane->jet[jet], plane->n), 1e-300), *moved[HEI_JETS], *up = malloc(sizeof(double) * plane->n), *other = malloc(sizeof(double) * plane->n);
  for (int i = 0; i < HEI_JETS; i++) moved[i] = plane->jet[i];
  moved[jet] = other;
  for (long at = 0; at < plane->n; at++) other[at] = plane->jet[jet][at] + step;
  apply(terms, plane->n, moved, up);
  for (long at = 0; at < plane->n; at++) other[at] = plane->jet[jet][at] - step;
  apply(terms, plane->n, moved, out);
  for (long at = 0; at < plane->n; at++) out[at] = (up[at] - out[at]) / (2 * step);
  free(up), free(other);
}

/* Share of the weight where the principal part [[a, b/2], [b/2, c]] has a negative eigenvalue: there waves short enough grow. NAN: it is not of order 2. */
static double backward(const HeiTerms *terms, const Plane *plane, const double *weight, int ny_all) {
  unsigned jets = 0, second = 1u << hei_jet(2, 0) | 1u << hei_jet(1, 1) | 1u << hei_jet(0, 2);
  for (int k = 0; k < terms->n; k++) jets |= terms->term[k].jets;
  if (!(jets & second) || jets >> hei_jet(3, 0)) return NAN;
  double *part[3], bad = 0, all = 0;
  for (int k = 0; k < 3; k++) slope(terms, plane, hei_jet(2 - k, k), part[k] = malloc(sizeof(double) * plane->n));
  for (int a = 0; a < plane->x.n; a++)
    for (int b = 0; b < plane->y.n; b++) {
      long at = (long)a * plane->y.n + b;
      double w = weight ? weight[(size_t)(plane->x.first + a * plane->x.step) * ny_all + plane->y.first + b * plane->y.step] : 1;
      double least = (part[0][at] + part[2][at]) / 2 - hypot((part[0][at] - part[2][at]) / 2, part[1][at] / 2);
      double size = fabs(part[0][at]) + fabs(part[1][at]) + fabs(part[2][at]);
      all += w, bad += least < -1e-9 * size ? w : 0;
    }
  for (int k = 0; k < 3; k++) free(part[k]);
  return all > 0 ? bad / all : NAN;
}

/* In one dimension y does not count: c is zero there, and so no sign. */
HeiOutcome hei_nature(Hei *hei, const HeiData *data, const HeiCandidate *candidate, const double *coefficients, const double *weight, HeiNature *out) {
  HeiLaw law;
  HeiTerms terms = {0};
  Plane plane;
  HeiOutcome outcome = hei_resolve(hei, candidate, &law);
  *out = (HeiNature){NAN, NAN, NAN};
  if (outcome) return outcome;
  plane_open(hei, 0, &plane);
  hei_terms_open(hei, data, candidate, coefficients, plane.x, plane.y, &terms);
  double dx = plane.x.step * (data->x[1] - data->x[0]) / (hei->axis[0].n - 1), dy = plane.y.n > 1 ? plane.y.step * (data->y[1] - data->y[0]) / (hei->axis[1].n - 1) : 1;
  out->constant_rate = constant_rate(&terms, &plane), out->leak = leak(&terms, &plane, dx, dy), out->backward = backward(&terms, &plane, weight, hei->axis[1].n);
  hei_terms_close(&terms);
  plane_close(&plane);
  return HEI_OK;
}
