/* Values that were not measured. With weights 0 or 1 the smoother's normal equations are no longer diagonal, but next to it: conjugate gradients on
 *   (U'WU + penalty) z = U'W u,  U'WU = 1 - U'(1 - W)U,
 * preconditioned by the filter, touch the missing values alone. The spline's values then fill the holes, and all else goes on as if they had been measured. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hei_internal.h"
#include "hei_lapack.h"

enum { ROUNDS = 3, ITERATIONS = 300 };
static const double TOLERANCE = 1e-8, NEAR = 0.5;

typedef struct Holes {
  const HeiAxis *axis;
  long n, *at;                       /* (node * snapshots + snapshot), ascending */
  double *value;                     /* [n]: of a spline */
  double *slice, *lines;             /* [y->nbasis][t->nbasis], [ny][t->nbasis] */
} Holes;

static Holes holes_open(const HeiAxis *axis, const double *u, int stride, long missing) {
  Holes holes = {axis, 0, malloc(sizeof(long) * missing), malloc(sizeof(double) * missing), malloc(sizeof(double) * axis[1].nbasis * axis[2].nbasis),
                 malloc(sizeof(double) * axis[1].n * axis[2].nbasis)};
  int nt = axis[2].n;
  for (long node = 0; node < (long)axis[0].n * axis[1].n; node++)
    for (int k = 0; k < nt; k++)
      if (isnan(u[(size_t)node * stride + k])) holes.at[holes.n++] = node * nt + k;
  return holes;
}

static void holes_close(Holes *holes) { free(holes->at), free(holes->value), free(holes->slice), free(holes->lines); }

/* The spline z in the holes of plane i, holes first .. last. */
static void look(Holes *holes, const double *z, long i, long first, long last) {
  const HeiAxis *x = &holes->axis[0], *y = &holes->axis[1], *t = &holes->axis[2];
  int nb = y->nbasis, nc = t->nbasis;
  cblas_dgemv(CblasRowMajor, CblasTrans, x->nbasis, nb * nc, 1, z, nb * nc, x->u[0] + i * x->nbasis, 1, 0, holes->slice, 1);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, y->n, nc, nb, 1, y->u[0], nb, holes->slice, nc, 0, holes->lines, nc);
  for (long k = first; k < last; k++) {
    long j = holes->at[k] / t->n % y->n, snapshot = holes->at[k] % t->n;
    holes->value[k] = cblas_ddot(nc, holes->lines + j * nc, 1, t->u[0] + snapshot * nc, 1);
  }
}

/* out -= U' of the values in the holes of plane i. */
static void take_away(Holes *holes, long i, long first, long last, double *out) {
  const HeiAxis *x = &holes->axis[0], *y = &holes->axis[1], *t = &holes->axis[2];
  int nb = y->nbasis, nc = t->nbasis;
  memset(holes->lines, 0, sizeof(double) * y->n * nc);
  for (long k = first; k < last; k++) {
    long j = holes->at[k] / t->n % y->n, snapshot = holes->at[k] % t->n;
    cblas_daxpy(nc, holes->value[k], t->u[0] + snapshot * nc, 1, holes->lines + j * nc, 1);
  }
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, nb, nc, y->n, 1, y->u[0], nb, holes->lines, nc, 0, holes->slice, nc);
  cblas_dger(CblasRowMajor, x->nbasis, nb * nc, -1, x->u[0] + i * x->nbasis, 1, holes->slice, 1, out, nb * nc);
}

/* Values of z in all holes; out (may be NULL) -= U'(1 - W)U z. */
static void visit(Holes *holes, const double *z, double *out) {
  long plane = (long)holes->axis[1].n * holes->axis[2].n;
  for (long first = 0, last; first < holes->n; first = last) {
    long i = holes->at[first] / plane;
    for (last = first; last < holes->n && holes->at[last] / plane == i;) last++;
    look(holes, z, i, first, last);
    if (out) take_away(holes, i, first, last, out);
  }
}

/* Conjugate gradients from z, whose size is that of smooth->z; right = U'W u. */
static void solve(Holes *holes, const HeiSmooth *smooth, const double *right, double *z) {
  int na = smooth->x->nbasis, nb = smooth->y->nbasis, nc = smooth->t->nbasis, n = na * nb * nc;
  double *filter = malloc(sizeof(double) * n), *rest = malloc(sizeof(double) * n), *step = malloc(sizeof(double) * n), *image = malloc(sizeof(double) * n),
         *scaled = malloc(sizeof(double) * n), size = 0, first = 0;
  for (int a = 0, k = 0; a < na; a++)
    for (int b = 0; b < nb; b++)
      for (int c = 0; c < nc; c++, k++) filter[k] = hei_filter(smooth, a, b, c);
  for (int k = 0; k < n; k++) image[k] = z[k] / filter[k], first += right[k] * right[k] * filter[k];
  visit(holes, z, image);
  for (int k = 0; k < n; k++) rest[k] = right[k] - image[k], step[k] = scaled[k] = rest[k] * filter[k], size += rest[k] * scaled[k];
  for (int turn = 0; turn < ITERATIONS && size > TOLERANCE * TOLERANCE * first; turn++) {
    for (int k = 0; k < n; k++) image[k] = step[k] / filter[k];
    visit(holes, step, image);
    double along = size / cblas_ddot(n, step, 1, image, 1), old = size;
    cblas_daxpy(n, along, step, 1, z, 1), cblas_daxpy(n, -along, image, 1, rest, 1);
    size = 0;
    for (int k = 0; k < n; k++) scaled[k] = rest[k] * filter[k], size += rest[k] * scaled[k];
    for (int k = 0; k < n; k++) step[k] = scaled[k] + size / old * step[k];
  }
  free(filter), free(rest), free(step), free(image), free(scaled);
}

double *hei_fill(const HeiAxis *axis, const double *u, int stride, long missing) {
  if (!missing) return NULL;
  const HeiAxis *x = &axis[0], *y = &axis[1], *t = &axis[2];
  size_t nodes = (size_t)x->n * y->n, nt = t->n, n = (size_t)x->nbasis * y->nbasis * t->nbasis;
  double *filled = malloc(sizeof(double) * nodes * nt), *right = malloc(sizeof(double) * n), *z = calloc(n, sizeof(double));
  Holes holes = holes_open(axis, u, stride, missing);
  for (size_t node = 0; node < nodes; node++) memcpy(filled + node * nt, u + node * stride, sizeof(double) * nt);
  for (long k = 0; k < holes.n; k++) filled[holes.at[k]] = 0;
  hei_transform(x, y, t, filled, (int)nt, t->u[0], right);
  HeiSmooth smooth = {.x = x, .y = y, .t = t, .space = 1, .time = 1};     /* the middle of what cross validation tries */
  for (int round = 0; round < ROUNDS; round++) {
    solve(&holes, &smooth, right, z);
    visit(&holes, z, NULL);
    for (long k = 0; k < holes.n; k++) filled[holes.at[k]] = holes.value[k];
    if (round + 1 == ROUNDS) break;
    hei_smooth_open(&smooth, x, y, t, filled, (int)nt, (double)nodes * nt - missing, (HeiEdge){0, 1, 1});
    hei_smooth_close(&smooth);
  }
  holes_close(&holes);
  free(right), free(z);
  return filled;
}

/* ---- where values are lost --------------------------------------------------------------------------------------------------------------------------------- */

/* Running sums along an axis of the array, over reach + 1 + reach places. */
static void spread(float *value, long before, int n, long after, int reach) {
  double *sum = malloc(sizeof(double) * (n + 1));
  for (long a = 0; a < before; a++)
    for (long c = 0; c < after; c++) {
      float *at = value + a * n * after + c;
      sum[0] = 0;
      for (int b = 0; b < n; b++) sum[b + 1] = sum[b] + at[b * after];
      for (int b = 0; b < n; b++) {
        int first = b > reach ? b - reach : 0, last = b + reach < n - 1 ? b + reach : n - 1;
        at[b * after] = (float)((sum[last + 1] - sum[first]) / (last + 1 - first));
      }
    }
  free(sum);
}

unsigned char *hei_lost(const HeiAxis *axis, const int *reach, const double *u, int stride) {
  long nodes = (long)axis[0].n * axis[1].n;
  int nt = axis[2].n;
  float *share = malloc(sizeof(float) * nodes * nt);
  unsigned char *lost = malloc((size_t)nodes * nt);
  for (long node = 0; node < nodes; node++)
    for (int k = 0; k < nt; k++) share[node * nt + k] = !isnan(u[(size_t)node * stride + k]);
  spread(share, 1, axis[0].n, (long)axis[1].n * nt, reach[0]), spread(share, axis[0].n, axis[1].n, nt, reach[1]), spread(share, nodes, nt, 1, reach[2]);
  for (long node = 0; node < nodes; node++)
    for (int k = 0; k < nt; k++) lost[node * nt + k] = isnan(u[(size_t)node * stride + k]) && share[node * nt + k] < NEAR;
  free(share);
  return lost;
}

void hei_lost_rows(const Hei *hei, int trajectory, int interval, double *share) {
  const HeiWeakAxis *x = &hei->weak[0], *y = &hei->weak[1];
  int total = hei->axis[2].n, first = hei->start[interval], snapshots = hei->start[interval + 1] - first, mx = x->ntests, my = y->ntests;
  double *nodes = malloc(sizeof(double) * x->n * y->n), *lines = malloc(sizeof(double) * mx * y->n);
  for (int k = 0; k < hei->ntime; k++) {
    const double *theta = hei->theta[interval] + (size_t)k * snapshots;
    double whole = 0;
    for (int t = 0; t < snapshots; t++) whole += theta[t];
    for (long node = 0; node < (long)x->n * y->n; node++) {
      nodes[node] = 0;
      for (int t = 0; t < snapshots; t++)
        if (hei->lost[trajectory][node * total + first + t]) nodes[node] += theta[t];
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, mx, y->n, x->n, 1 / whole, x->test, x->n, nodes, y->n, 0, lines, y->n);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, mx, my, y->n, 1, lines, y->n, y->test, y->n, 0, share + (size_t)k * mx * my, my);
  }
  for (int i = 0; i < mx; i++)
    for (int j = 0; j < my; j++) {
      double whole = 0, across = 0;
      for (int a = 0; a < x->n; a++) whole += x->test[(size_t)i * x->n + a];
      for (int b = 0; b < y->n; b++) across += y->test[(size_t)j * y->n + b];
      for (int k = 0; k < hei->ntime; k++) share[(size_t)(k * mx + i) * my + j] /= whole * across;
    }
  free(nodes), free(lines);
}
