/* From the data to two smoothed trajectories: how the sides are, what is missing, what the smoother left over. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hei_internal.h"
#include "hei_lapack.h"

static const double WHITE = 0.05;    /* neighbouring residuals correlated by more than that are not white noise */

/* ---- axes -------------------------------------------------------------------------------------------------------------------------------------------------- */

typedef enum Ends { ENDS_FREE, ENDS_MIRROR, ENDS_NEXT, ENDS_SAME, ENDS } Ends;     /* periodic: the last node is the one before the first one, or is the first one */

static HeiSide side_of(Ends ends) { return ends == ENDS_FREE ? HEI_SIDE_FREE : ends == ENDS_MIRROR ? HEI_SIDE_ZERO_FLUX : HEI_SIDE_PERIODIC; }

static HeiOutcome space_axis(const Hei *hei, const HeiData *data, int d, Ends ends, HeiAxis *axis) {
  int n = d ? data->ny : data->nx;
  const double *range = d ? data->y : data->x;
  double *x = malloc(sizeof(double) * n), step = n > 1 ? (range[1] - range[0]) / (n - 1) : 0;
  for (int i = 0; i < n; i++) x[i] = n > 1 ? range[0] + (range[1] - range[0]) * i / (n - 1) : 0;
  HeiFold fold = ends == ENDS_FREE ? HEI_FOLD_NONE : ends == ENDS_MIRROR ? HEI_FOLD_MIRROR : HEI_FOLD_WRAP;
  HeiOutcome outcome = hei_axis_open(axis, hei->options.smooth_space, HEI_ORDER, fold, range[0], range[1] + (ends == ENDS_NEXT ? step : 0), n, x);
  free(x);
  return outcome;
}

/* A trajectory as the smoother reads it. */
typedef struct Source { const double *u; int stride; double observed; double *filled; } Source;

static void fill(const Hei *hei, const HeiData *data, int w, Source *source) {
  free(source->filled);
  source->filled = hei_fill(hei->axis, data->u[w], data->stride, hei->prepared[w].missing);
  source->u = source->filled ? source->filled : data->u[w], source->stride = source->filled ? hei->axis[2].n : data->stride;
}

/* Twice the negative log-likelihood of both trajectories with an axis that ends so: from cross validation, which counts what the freedom at the sides costs. */
static double unlikely(const Hei *hei, const HeiData *data, const Source *source, int d, Ends ends) {
  HeiAxis other;
  HeiSmooth smooth;
  double sum = 0;
  if (space_axis(hei, data, d, ends, &other)) return hei_axis_close(&other), INFINITY;
  for (int w = 0; w < 2; w++) {
    hei_smooth_open(&smooth, d ? &hei->axis[0] : &other, d ? &other : &hei->axis[1], &hei->axis[2], source[w].u, source[w].stride, source[w].observed, (HeiEdge){0, 1, 1});
    sum += smooth.validation;
    hei_smooth_close(&smooth);
  }
  hei_axis_close(&other);
  return sum;
}

/* Opens the axis again as it is known or found to end. */
static HeiOutcome settle(Hei *hei, const HeiData *data, const Source *source, int d, bool *changed) {
  HeiSide known = data->side[d];
  Ends best = ENDS_FREE;
  if (hei->axis[d].n > 1 && known != HEI_SIDE_FREE) {
    double least = INFINITY;
    for (Ends ends = 0; ends < ENDS; ends++) {
      if (known != HEI_SIDE_UNKNOWN && side_of(ends) != known) continue;
      if (known == HEI_SIDE_ZERO_FLUX) { best = ends; break; }
      double score = unlikely(hei, data, source, d, ends);
      if (score < least) least = score, best = ends;
    }
  }
  for (int w = 0; w < 2; w++) hei->prepared[w].side[d] = side_of(best);
  if (best == ENDS_FREE) return HEI_OK;
  *changed = true;
  hei_axis_close(&hei->axis[d]);
  return space_axis(hei, data, d, best, &hei->axis[d]);
}

/* ---- what is left over ------------------------------------------------------------------------------------------------------------------------------------- */

/* Residuals of the plane i of nodes, [ny][snapshots]; NaN where nothing was measured. */
static void residual(const HeiSmooth *smooth, const double *u, int stride, int i, double *slice, double *lines, double *out) {
  const HeiAxis *x = smooth->x, *y = smooth->y, *t = smooth->t;
  int nb = y->nbasis, nc = t->nbasis, ny = y->n, nt = t->n;
  cblas_dgemv(CblasRowMajor, CblasTrans, x->nbasis, nb * nc, 1, smooth->z, nb * nc, x->u[0] + (size_t)i * x->nbasis, 1, 0, slice, 1);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ny, nc, nb, 1, y->u[0], nb, slice, nc, 0, lines, nc);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, ny, nt, nc, -1, lines, nc, t->u[0], nc, 0, out, nt);
  for (int j = 0; j < ny; j++)
    for (int k = 0; k < nt; k++) out[(size_t)j * nt + k] += u[((size_t)i * ny + j) * stride + k];
}

typedef struct Pairs { double sum; long n; } Pairs;

static void pair(Pairs *pairs, double a, double b) {
  if (!isnan(a) && !isnan(b)) pairs->sum += a * b, pairs->n++;
}

/* Correlations of neighbouring residuals, and the root mean square of what was smoothed. */
static void look_back(const HeiSmooth *smooth, const double *u, int stride, HeiPrepared *prepared) {
  int nx = smooth->x->n, ny = smooth->y->n, nt = smooth->t->n, nc = smooth->t->nbasis;
  size_t plane = (size_t)ny * nt;
  double *slice = malloc(sizeof(double) * smooth->y->nbasis * nc), *lines = malloc(sizeof(double) * ny * nc), *now = malloc(sizeof(double) * plane),
         *before = malloc(sizeof(double) * plane), mean = 0, square = 0;
  Pairs own = {0}, next[3] = {{0}};
  for (int i = 0; i < nx; i++) {
    residual(smooth, u, stride, i, slice, lines, now);
    for (int j = 0; j < ny; j++)
      for (int k = 0; k < nt; k++) {
        size_t at = (size_t)j * nt + k;
        if (isnan(now[at])) continue;
        double smoothed = u[((size_t)i * ny + j) * stride + k] - now[at];
        mean += smoothed, square += smoothed * smoothed;
        pair(&own, now[at], now[at]);
        if (i) pair(&next[0], now[at], before[at]);
        if (j) pair(&next[1], now[at], now[at - nt]);
        if (k) pair(&next[2], now[at], now[at - 1]);
      }
    double *swap = before;
    before = now, now = swap;
  }
  double variance = own.n ? own.sum / own.n : 0;
  for (int d = 0; d < 3; d++) {
    prepared->correlation[d] = next[d].n && variance > 0 ? next[d].sum / next[d].n / variance : 0;
    if (prepared->correlation[d] > WHITE) prepared->correlated = true;
  }
  prepared->signal = own.n ? sqrt(fmax(square / own.n - mean / own.n * (mean / own.n), 0)) : 0;
  prepared->sigma = smooth->sigma, prepared->modes = smooth->modes;
  free(slice), free(lines), free(now), free(before);
}

/* The largest over the mean of the spectrum of noise whose neighbours are correlated so and others by powers of it. */
static double growth(double correlation) { return correlation > WHITE ? (1 + correlation) / (1 - correlation) : 1; }

/* A second time when the noise turns out to be correlated, since its singular values reach higher then. */
static void smooth_trajectory(Hei *hei, const HeiData *data, int w, const Source *source) {
  HeiSmooth *smooth = &hei->smooth[w];
  HeiPrepared *prepared = &hei->prepared[w];
  HeiEdge edge = {hei->options.noise_edge, 1, 1};
  for (int turn = 0; turn < 2; turn++) {
    hei_smooth_open(smooth, &hei->axis[0], &hei->axis[1], &hei->axis[2], source->u, source->stride, source->observed, edge);
    look_back(smooth, data->u[w], data->stride, prepared);
    if (turn || !prepared->correlated || !smooth->modes) return;
    edge.space = growth(prepared->correlation[0]) * growth(prepared->correlation[1]), edge.time = growth(prepared->correlation[2]);
    hei_smooth_close(smooth);
  }
}

/* ---- all of it --------------------------------------------------------------------------------------------------------------------------------------------- */

HeiOutcome hei_prepare(Hei *hei, const HeiData *data) {
  Source source[2] = {{0}, {0}};
  int total = hei->start[hei->nintervals];
  HeiOutcome outcome = HEI_OK;
  for (int d = 0; d < 2 && !outcome; d++) outcome = space_axis(hei, data, d, ENDS_FREE, &hei->axis[d]);
  if (!outcome) outcome = hei_axis_open(&hei->axis[2], hei->options.smooth_time, 1, HEI_FOLD_NONE, data->t[0], data->t[total - 1], total, data->t);
  if (outcome) return outcome;
  for (int w = 0; w < 2; w++) {
    fill(hei, data, w, &source[w]);
    source[w].observed = (double)data->nx * data->ny * total - hei->prepared[w].missing;
  }
  bool changed = false;
  for (int d = 0; d < 2 && !outcome; d++) outcome = settle(hei, data, source, d, &changed);
  for (int w = 0; w < 2 && !outcome; w++) {
    if (changed) fill(hei, data, w, &source[w]);
    smooth_trajectory(hei, data, w, &source[w]);
    if (source[w].filled) {
      int reach[3];
      for (int d = 0; d < 3; d++) reach[d] = hei->axis[d].n / (d < 2 ? hei->options.smooth_space : hei->options.smooth_time);      /* one knot */
      hei->lost[w] = hei_lost(hei->axis, reach, data->u[w], data->stride);
    }
  }
  free(source[0].filled), free(source[1].filled);
  return outcome;
}
