/* P-splines in three axes at once: with bases that diagonalise the penalties, smoothing is a filter of coefficients and cross validation costs one pass over
 * them for each pair of factors. */
#include "hei_denoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hei_lapack.h"
#include "hei_spline.h"

enum { DEGREE = 5, PENALTY = 4, FACTORS = 20 };

/* The factors tried: 10^-5, 10^-4.5, ... 10^4.5. */
static double factor(int k) { return pow(10, -5 + 0.5 * k); }

/* B-spline k is centred k - 2 knots from the start. Its function in the folded basis: */
static int folded(HeiFold fold, int intervals, int k) {
  int centre = k - DEGREE / 2;
  if (fold == HEI_FOLD_MIRROR) return centre < 0 ? -centre : centre > intervals ? 2 * intervals - centre : centre;
  return fold == HEI_FOLD_WRAP ? (centre + intervals) % intervals : k;
}

static int functions(HeiFold fold, int intervals) { return fold == HEI_FOLD_MIRROR ? intervals + 1 : fold == HEI_FOLD_WRAP ? intervals : intervals + DEGREE; }

/* out[n][functions]: B-splines of derivative `order`, folded. */
static void folded_spline(HeiFold fold, int intervals, int order, double a, double b, int n, const double *x, double *out) {
  int all = intervals + DEGREE, m = functions(fold, intervals);
  double *basis = malloc(sizeof(double) * n * all);
  hei_spline(intervals, DEGREE, order, a, b, n, x, basis);
  memset(out, 0, sizeof(double) * n * m);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < all; k++) out[(size_t)i * m + folded(fold, intervals, k)] += basis[(size_t)i * all + k];
  free(basis);
}

/* Differences of the coefficients as they go on beyond the ends; around, each difference is met once. */
static void folded_penalty(HeiFold fold, int intervals, double *out) {
  int all = intervals + DEGREE - (fold == HEI_FOLD_WRAP), m = functions(fold, intervals);
  double *penalty = malloc(sizeof(double) * all * all);
  hei_penalty(all, PENALTY, penalty);
  memset(out, 0, sizeof(double) * m * m);
  for (int i = 0; i < all; i++)
    for (int j = 0; j < all; j++) out[(size_t)folded(fold, intervals, i) * m + folded(fold, intervals, j)] += penalty[(size_t)i * all + j];
  free(penalty);
}

HeiOutcome hei_axis_open(HeiAxis *axis, int intervals, int orders, HeiFold fold, double a, double b, int n, const double *x) {
  *axis = (HeiAxis){.n = n, .nbasis = n == 1 ? 1 : functions(fold, intervals), .fold = fold, .orders = orders};
  int m = axis->nbasis, info = 0, one = 1, lwork = 64 * m + 64, free_polynomials = fold ? 1 : PENALTY;
  for (int k = 0; k <= orders; k++) axis->u[k] = calloc((size_t)n * m, sizeof(double));
  axis->w = calloc(m, sizeof(double));
  if (n == 1) return axis->u[0][0] = 1, HEI_OK;
  double *basis = malloc(sizeof(double) * n * m), *mass = malloc(sizeof(double) * m * m), *vectors = malloc(sizeof(double) * m * m),
         *work = malloc(sizeof(double) * lwork), trace = 0;
  folded_spline(fold, intervals, 0, a, b, n, x, basis);
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, m, n, 1, basis, m, basis, m, 0, mass, m);
  folded_penalty(fold, intervals, vectors);
  for (int k = 0; k < m; k++) trace += mass[k * m + k];
  for (int k = 0; k < m; k++) mass[k * m + k] += 1e-10 * trace / m;      /* functions that touch few nodes */
  dsygv_(&one, "V", "U", &m, vectors, &m, mass, &m, axis->w, work, &lwork, &info);
  for (int k = 0; k < free_polynomials; k++) axis->w[k] = 0;             /* those below the order: round-off would be amplified by the factors */
  for (int k = 0; k <= orders; k++) {                                    /* the columns of LAPACK are rows here */
    folded_spline(fold, intervals, k, a, b, n, x, basis);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, m, m, 1, basis, m, vectors, m, 0, axis->u[k], m);
  }
  free(basis), free(mass), free(vectors), free(work);
  return info ? HEI_GRID : HEI_OK;
}

void hei_axis_close(HeiAxis *axis) {
  for (int k = 0; k <= HEI_ORDER; k++) free(axis->u[k]);
  free(axis->w);
}

double hei_filter(const HeiSmooth *smooth, int a, int b, int c) {
  return 1 / (1 + smooth->space * (smooth->x->w[a] + smooth->y->w[b]) + smooth->time * smooth->t->w[c]);
}

void hei_transform(const HeiAxis *x, const HeiAxis *y, const HeiAxis *t, const double *u, int stride, const double *time, double *z) {
  int nx = x->n, ny = y->n, nt = t->n, na = x->nbasis, nb = y->nbasis, nc = t->nbasis;
  double *lines = malloc(sizeof(double) * ny * nc), *plane = malloc(sizeof(double) * nb * nc);
  memset(z, 0, sizeof(double) * na * nb * nc);
  for (int i = 0; i < nx; i++) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ny, nc, nt, 1, u + (size_t)i * ny * stride, stride, time, nc, 0, lines, nc);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, nb, nc, ny, 1, y->u[0], nb, lines, nc, 0, plane, nc);
    cblas_dger(CblasRowMajor, na, nb * nc, 1, x->u[0] + (size_t)i * na, 1, plane, 1, z, nb * nc);
  }
  free(lines), free(plane);
}

/* Sums over the coefficients at the chosen factors: freedom = sum f, lost = |(1 - f) z|^2. work[3*t->nbasis]: a sum for each c, so that they go side by side. */
static void sums(const HeiSmooth *smooth, double *restrict work, double *freedom, double *lost) {
  int na = smooth->x->nbasis, nb = smooth->y->nbasis, nc = smooth->t->nbasis;
  const double *restrict z = smooth->z;
  double *restrict count = work, *restrict square = work + nc, *restrict time = work + 2 * nc;
  for (int c = 0; c < nc; c++) count[c] = square[c] = 0, time[c] = smooth->time * smooth->t->w[c];
  for (int a = 0; a < na; a++)
    for (int b = 0; b < nb; b++, z += nc) {
      double space = 1 + smooth->space * (smooth->x->w[a] + smooth->y->w[b]);
      for (int c = 0; c < nc; c++) {
        double f = 1 / (space + time[c]), rest = (1 - f) * z[c];
        count[c] += f, square[c] += rest * rest;
      }
    }
  *freedom = *lost = 0;
  for (int c = 0; c < nc; c++) *freedom += count[c], *lost += square[c];
}

/* Chooses the factors by generalised cross validation (Craven and Wahba, 1979) and filters z; returns the score. square: |data|^2, of which `observed`
 * values count: the others lie on the spline. */
static double choose(HeiSmooth *smooth, double observed, double square) {
  int na = smooth->x->nbasis, nb = smooth->y->nbasis, nc = smooth->t->nbasis, nz = na * nb * nc;
  double n = observed, share = observed / ((double)smooth->x->n * smooth->y->n * smooth->t->n), outside = square, best = INFINITY, space = 0, time = 0, variance = 0, *work = malloc(sizeof(double) * 3 * nc);
  outside -= cblas_ddot(nz, smooth->z, 1, smooth->z, 1);
  for (int i = 0; i < FACTORS; i++)
    for (int j = 0; j < FACTORS; j++) {
      double freedom, lost;
      smooth->space = factor(i), smooth->time = factor(j);
      sums(smooth, work, &freedom, &lost);
      double rest = fmax(outside + lost, 1e-15 * square);      /* below that it is round-off */
      freedom *= share;
      double score = n * rest / ((n - freedom) * (n - freedom));
      if (score < best) best = score, space = smooth->space, time = smooth->time, variance = rest / (n - freedom);
    }
  free(work);
  smooth->space = space, smooth->time = time, smooth->sigma = sqrt(variance);
  for (int a = 0, k = 0; a < na; a++)
    for (int b = 0; b < nb; b++)
      for (int c = 0; c < nc; c++, k++) smooth->z[k] *= hei_filter(smooth, a, b, c);
  return best;
}

/* The Gram matrix over time of u as a matrix of nodes by snapshots. */
static double *correlate(const HeiSmooth *smooth, const double *u, int stride) {
  int nt = smooth->t->n, ny = smooth->y->n;
  double *gram = calloc((size_t)nt * nt, sizeof(double));
  for (int i = 0; i < smooth->x->n; i++)
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, nt, nt, ny, 1, u + (size_t)i * ny * stride, stride, u + (size_t)i * ny * stride, stride, 1, gram, nt);
  return gram;
}

/* Space-time modes whose singular value is above the edge of the noise, sigma*(sqrt(nodes) + sqrt(snapshots)) (Marchenko and Pastur, 1967). With P the
 * projector on them over time, u P is transformed by P Ut, so the projected data are never formed. */
static void project(HeiSmooth *smooth, double *gram, const double *u, int stride, double observed, HeiEdge limit) {
  int nt = smooth->t->n, nc = smooth->t->nbasis, info = 0, lwork = 64 * nt + 64, kept = 0;
  double *value = malloc(sizeof(double) * nt), *work = malloc(sizeof(double) * lwork), *inner = malloc(sizeof(double) * nt * nc),
         *time = malloc(sizeof(double) * nt * nc), square = 0;
  double edge = limit.factor * smooth->sigma * (sqrt((double)smooth->x->n * smooth->y->n * limit.time) + sqrt(nt * limit.space));
  dsyev_("V", "U", &nt, gram, &nt, value, work, &lwork, &info);          /* ascending; vector k is row k */
  for (int k = nt - 1; k >= 0 && sqrt(fmax(value[k], 0)) > edge; k--) kept++, square += value[k];
  if (!info && kept && kept < nt) {
    const double *rows = gram + (size_t)(nt - kept) * nt;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kept, nc, nt, 1, rows, nt, smooth->t->u[0], nc, 0, inner, nc);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, nt, nc, kept, 1, rows, nt, inner, nc, 0, time, nc);
    smooth->modes = kept;
    smooth->noise = memcpy(malloc(sizeof(double) * kept * nc), inner, sizeof(double) * kept * nc);
    hei_transform(smooth->x, smooth->y, smooth->t, u, stride, time, smooth->z);
    double sigma = smooth->sigma;
    choose(smooth, observed, square);
    smooth->sigma = sigma;           /* of the data, not of what is left of it */
  }
  free(value), free(work), free(inner), free(time);
}

void hei_smooth_open(HeiSmooth *smooth, const HeiAxis *x, const HeiAxis *y, const HeiAxis *t, const double *u, int stride, double observed, HeiEdge limit) {
  *smooth = (HeiSmooth){.x = x, .y = y, .t = t, .z = malloc(sizeof(double) * x->nbasis * y->nbasis * t->nbasis)};
  double *gram = limit.factor > 0 ? correlate(smooth, u, stride) : NULL, square = 0;
  if (gram)
    for (int k = 0; k < t->n; k++) square += gram[(size_t)k * t->n + k];
  else
    for (size_t node = 0; node < (size_t)x->n * y->n; node++) square += cblas_ddot(t->n, u + node * stride, 1, u + node * stride, 1);
  hei_transform(x, y, t, u, stride, t->u[0], smooth->z);
  smooth->validation = observed * log(choose(smooth, observed, square));
  if (gram) project(smooth, gram, u, stride, observed, limit);
  free(gram);
}

void hei_smooth_close(HeiSmooth *smooth) { free(smooth->z), free(smooth->noise); }

double *hei_slices(const HeiSmooth *smooth, int rows, const double *weight) {
  int n = smooth->x->nbasis * smooth->y->nbasis, nc = smooth->t->nbasis;
  double *slices = malloc(sizeof(double) * rows * n);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, n, nc, 1, weight, nc, smooth->z, nc, 0, slices, n);
  return slices;
}

void hei_slice(const HeiSmooth *smooth, const double *slices, int row, int i, int j, double *work, double *out) {
  int nx = smooth->x->n, ny = smooth->y->n, na = smooth->x->nbasis, nb = smooth->y->nbasis;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, nx, nb, na, 1, smooth->x->u[i], na, slices + (size_t)row * na * nb, nb, 0, work, nb);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, nx, ny, nb, 1, work, nb, smooth->y->u[j], nb, 0, out, ny);
}
