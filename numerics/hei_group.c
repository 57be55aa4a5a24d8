/* Group projected subspace pursuit on normal equations. */
#include "hei_group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hei_internal.h"
#include "hei_lapack.h"

enum { WEIGHTS = 5, ROUNDS = 20 };
static const double weights[WEIGHTS] = {1e-3, 1e-2, 1e-1, 1, 10};
static const double FLOOR = 1e-9;
static const double TRIM = 0.05;         /* a group that contributes less, by norm, of what is to be explained is trimmed */
static const double REDUCTION = 0.015;   /* of the residual of size 1, for each term more: less is not worth it */

typedef struct Normal { double *matrix, *right, square; } Normal;      /* N = G'G, h = G'b, b'b over all groups */

typedef struct Pursuit {
  Hei *hei;
  int n, first[HEI_GROUPS + 1], term[HEI_GROUPS];
  Normal normal[3];                      /* first trajectory, second, both */
  double weight;
  double *a, *c, *rest;                  /* work: matrix of a support, its coefficients over all groups, N c */
} Pursuit;

static int size(const Pursuit *p, int g) { return p->first[g + 1] - p->first[g]; }
static int width(const Pursuit *p) { return p->first[p->n]; }

/* ---- normal equations ---------------------------------------------------------------------------------------------------------------------------------------- */

static void add_block(const Pursuit *p, Normal *normal, int i, int j, const double *block, bool transposed) {
  int m = size(p, i), n = size(p, j);
  size_t all = (size_t)width(p);
  for (int a = 0; a < m; a++)
    for (int b = 0; b < n; b++) {
      double value = transposed ? block[(size_t)b * m + a] : block[(size_t)a * n + b];
      normal->matrix[(size_t)(p->first[i] + a) * all + p->first[j] + b] += value;
      if (i != j) normal->matrix[(size_t)(p->first[j] + b) * all + p->first[i] + a] += value;
    }
}

static void add_interval(Pursuit *p, Normal *normal, int trajectory, int interval) {
  bool transposed;
  for (int i = 0; i < p->n; i++) {
    for (int j = i; j < p->n; j++) {
      const double *block = hei_gram(p->hei, p->term[i], p->term[j], trajectory, interval, &transposed);
      add_block(p, normal, i, j, block, transposed);
    }
    cblas_daxpy(size(p, i), 1, hei_gram(p->hei, p->term[i], HEI_RATE, trajectory, interval, &transposed), 1, normal->right + p->first[i], 1);
  }
  normal->square += hei_gram(p->hei, HEI_RATE, HEI_RATE, trajectory, interval, &transposed)[0];
}

static HeiOutcome normals_open(Pursuit *p) {
  size_t n = (size_t)width(p);
  for (int w = 0; w < 3; w++) p->normal[w] = (Normal){calloc(n * n, sizeof(double)), calloc(n, sizeof(double)), 0};
  for (int w = 0; w < 2; w++)
    for (int interval = 0; interval < 2; interval++) {
      int place = hei_cache_enter(&p->hei->cache);
      add_interval(p, &p->normal[w], w, interval);
      hei_cache_leave(&p->hei->cache, place, p->hei->options.budget);
    }
  Normal *both = &p->normal[2];
  for (int w = 0; w < 2; w++) {
    for (size_t k = 0; k < n * n; k++) both->matrix[k] += p->normal[w].matrix[k];
    for (size_t k = 0; k < n; k++) both->right[k] += p->normal[w].right[k];
    both->square += p->normal[w].square;
  }
  for (size_t k = 0; k < n; k++)
    if (!isfinite(both->matrix[k * n + k])) return HEI_NOT_FINITE;
  return both->square > 0 ? HEI_OK : HEI_CONSTANT;
}

/* ---- fits ------------------------------------------------------------------------------------------------------------------------------------------------------ */

/* Penalised block (i, j) of the matrix into `to`, whose rows have `stride`. */
static void put_block(const Pursuit *p, const Normal *normal, int i, int j, double *to, int stride) {
  int m = size(p, i), n = size(p, j);
  size_t all = (size_t)width(p);
  for (int a = 0; a < m; a++) memcpy(to + (size_t)a * stride, normal->matrix + (size_t)(p->first[i] + a) * all + p->first[j], sizeof(double) * n);
  if (i != j) return;
  const double *penalty = p->hei->penalty[p->hei->term[p->term[i]].domain];
  double scale = 1e-300;
  for (int a = 0; a < m; a++) scale += to[(size_t)a * stride + a] / m;
  for (int a = 0; a < m; a++) {
    if (penalty) cblas_daxpy(m, scale * p->weight, penalty + (size_t)a * m, 1, to + (size_t)a * stride, 1);
    to[(size_t)a * stride + a] += scale * FLOOR;
  }
}

/* p->c of the groups of a support; zero elsewhere. */
static bool fit(Pursuit *p, const Normal *normal, const bool *in) {
  int n = 0, at[HEI_GROUPS], one = 1, info = 0;
  for (int g = 0; g < p->n; g++) at[g] = n, n += in[g] ? size(p, g) : 0;
  double *x = malloc(sizeof(double) * (size_t)n);
  for (int i = 0; i < p->n; i++) {
    if (!in[i]) continue;
    memcpy(x + at[i], normal->right + p->first[i], sizeof(double) * size(p, i));
    for (int j = 0; j < p->n; j++)
      if (in[j]) put_block(p, normal, i, j, p->a + (size_t)at[i] * n + at[j], n);
  }
  if (n) dpotrf_("L", &n, p->a, &n, &info);
  if (n && !info) dpotrs_("L", &n, &one, p->a, &n, x, &n, &info);
  memset(p->c, 0, sizeof(double) * width(p));
  for (int g = 0; g < p->n && !info; g++)
    if (in[g]) memcpy(p->c + p->first[g], x + at[g], sizeof(double) * size(p, g));
  free(x);
  return !info;
}

/* Relative residual of p->c; leaves N c in p->rest. */
static double residual(Pursuit *p, const Normal *normal) {
  int n = width(p);
  cblas_dsymv(CblasRowMajor, CblasUpper, n, 1, normal->matrix, n, p->c, 1, 0, p->rest, 1);
  double sum = normal->square - 2 * cblas_ddot(n, normal->right, 1, p->c, 1) + cblas_ddot(n, p->c, 1, p->rest, 1);
  return sqrt(fmax(sum, 0) / normal->square);
}

/* How much of the residual of p->c a group alone would take away: r' A_gg^-1 r with r = h - N c. */
static double projection(Pursuit *p, const Normal *normal, int g) {
  int m = size(p, g), one = 1, info = 0;
  double *r = malloc(sizeof(double) * 2 * (size_t)m), *x = r + m;
  for (int a = 0; a < m; a++) r[a] = x[a] = normal->right[p->first[g] + a] - p->rest[p->first[g] + a];
  put_block(p, normal, g, g, p->a, m);
  dpotrf_("L", &m, p->a, &m, &info);
  if (!info) dpotrs_("L", &m, &one, p->a, &m, x, &m, &info);
  double sum = info ? 0 : cblas_ddot(m, r, 1, x, 1);
  free(r);
  return sum;
}

/* |G_g c_g|^2: what a group of the support contributes. */
static double contribution(Pursuit *p, const Normal *normal, int g) {
  int m = size(p, g), all = width(p);
  const double *c = p->c + p->first[g];
  cblas_dgemv(CblasRowMajor, CblasNoTrans, m, m, 1, normal->matrix + (size_t)p->first[g] * all + p->first[g], all, c, 1, 0, p->a, 1);
  return cblas_ddot(m, p->a, 1, c, 1);
}

/* ---- pursuit --------------------------------------------------------------------------------------------------------------------------------------------------- */

static void keep_largest(const double *value, bool *in, int n, int keep) {
  bool kept[HEI_GROUPS] = {false};
  for (int k = 0; k < keep; k++) {
    int best = -1;
    for (int g = 0; g < n; g++)
      if (in[g] && !kept[g] && (best < 0 || value[g] > value[best])) best = g;
    if (best >= 0) kept[best] = true;
  }
  memcpy(in, kept, sizeof(bool) * n);
}

static void widen(Pursuit *p, const Normal *normal, bool *in, int by) {
  double value[HEI_GROUPS];
  bool outside[HEI_GROUPS];
  for (int g = 0; g < p->n; g++) outside[g] = !in[g], value[g] = in[g] ? 0 : projection(p, normal, g);
  keep_largest(value, outside, p->n, by);
  for (int g = 0; g < p->n; g++) in[g] = in[g] || outside[g];
}

static void narrow(Pursuit *p, const Normal *normal, bool *in, int to) {
  double value[HEI_GROUPS];
  for (int g = 0; g < p->n; g++) value[g] = in[g] ? contribution(p, normal, g) : 0;
  keep_largest(value, in, p->n, to);
}

static bool pursue(Pursuit *p, int wanted, bool *best) {
  const Normal *normal = &p->normal[2];
  bool in[HEI_GROUPS] = {false};
  double least = INFINITY;
  memset(p->c, 0, sizeof(double) * width(p)), memset(p->rest, 0, sizeof(double) * width(p));
  for (int round = 0; round < ROUNDS; round++) {
    widen(p, normal, in, wanted);
    if (!fit(p, normal, in)) return false;
    narrow(p, normal, in, wanted);
    if (!fit(p, normal, in)) return false;
    double rest = residual(p, normal);
    if (!(rest < least * (1 - 1e-9))) break;
    least = rest, memcpy(best, in, sizeof in);
  }
  return isfinite(least);
}

static void trim(Pursuit *p, bool *in) {
  const Normal *normal = &p->normal[2];
  double value[HEI_GROUPS];
  if (!fit(p, normal, in)) return;
  for (int g = 0; g < p->n; g++) value[g] = in[g] ? sqrt(fmax(contribution(p, normal, g), 0)) : 0;
  for (int g = 0; g < p->n; g++) in[g] = in[g] && value[g] >= TRIM * sqrt(normal->square);
}

static double transfer(Pursuit *p, const bool *in) {
  double sum = 0;
  for (int w = 0; w < 2; w++) sum += fit(p, &p->normal[w], in) ? residual(p, &p->normal[1 - w]) / 2 : INFINITY;
  return sum;
}

/* The support of a size for each weight of the penalty; the one that carries over best. */
static void support_of(Pursuit *p, int wanted, HeiSupport *out) {
  *out = (HeiSupport){.residual = 1, .transfer = INFINITY};
  for (int k = 0; k < WEIGHTS; k++) {
    bool in[HEI_GROUPS] = {false};
    p->weight = weights[k];
    if (!pursue(p, wanted, in)) continue;
    trim(p, in);
    double error = transfer(p, in);
    if (!(error < out->transfer) || !fit(p, &p->normal[2], in)) continue;
    *out = (HeiSupport){.residual = residual(p, &p->normal[2]), .transfer = error};
    for (int g = 0; g < p->n; g++)
      if (in[g]) out->group[out->n++] = g;
  }
}

HeiOutcome hei_group(Hei *hei, int n, const HeiField *field, int most, HeiSupport out[], int *chosen) {
  Pursuit p = {.hei = hei, .n = n};
  if (n < 1 || n > HEI_GROUPS || most < 1 || most > HEI_MAX_FIELDS || most > n) return HEI_ILL_FORMED;
  for (int g = 0; g < n; g++) {
    p.term[g] = hei_term(hei, field[g].domain, field[g].part, field[g].nparts);
    p.first[g + 1] = p.first[g] + hei->term[p.term[g]].n;
  }
  size_t all = (size_t)width(&p);
  p.a = malloc(sizeof(double) * all * all), p.c = malloc(sizeof(double) * all), p.rest = malloc(sizeof(double) * all);
  HeiOutcome outcome = normals_open(&p);
  for (int k = 0; k < most && !outcome; k++) support_of(&p, k + 1, &out[k]);
  *chosen = most - 1;
  for (int k = most - 2; k >= 0 && !outcome; k--)
    if (out[k].residual - out[k + 1].residual < REDUCTION * out[0].residual) *chosen = k;
  for (int w = 0; w < 3; w++) free(p.normal[w].matrix), free(p.normal[w].right);
  free(p.a), free(p.c), free(p.rest);
  return outcome;
}
