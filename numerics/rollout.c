#include "rollout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 7, JETS = (ROLLOUT_ORDER + 1) * (ROLLOUT_ORDER + 2) / 2, STEPS_MOST = 200000 };
static const double TOLERANCE = 1e-5, BLOWN = 1e3;

typedef struct Run {
  const RolloutData *data;
  const RolloutTerm *term; int nterms;
  int ring_x, ring_y, mx, my;        /* nodes of the ring on either side; inner nodes */
  long m, nodes;
  unsigned jets;
  double *jet[JETS];                 /* [m] those needed */
  double *coefficient;               /* [nterms][m] */
  double *lines, *feature, *full;    /* [mx][ny]; [m]; [nx][ny] */
  int *ring; int nring;              /* nodes with data */
  int interval;                      /* between snapshots interval and interval + 1 */
  double scale, largest;             /* root mean square of the data, and their largest size */
} Run;

static int jet_of(int i, int j) { return (i + j) * (i + j + 1) / 2 + j; }

/* Central differences of order 4 (Fornberg, 1988), at -3 .. 3. */
static const double stencil[ROLLOUT_ORDER + 1][7] = {
    {0, 0, 0, 1, 0, 0, 0},
    {0, 1. / 12, -8. / 12, 0, 8. / 12, -1. / 12, 0},
    {0, -1. / 12, 16. / 12, -30. / 12, 16. / 12, -1. / 12, 0},
    {1. / 8, -1, 13. / 8, 0, -13. / 8, 1, -1. / 8},
    {-1. / 6, 2, -13. / 2, 28. / 3, -13. / 2, 2, -1. / 6},
};

/* ---- the right side ---------------------------------------------------------------------------------------------------------------------------------------- */

static void differentiate_x(const Run *run, const double *u, int order, double *out) {
  int ny = run->data->ny;
  memset(out, 0, sizeof(double) * (size_t)run->mx * ny);
  for (int k = 0; k < 7; k++) {
    double c = stencil[order][k] / pow(run->data->dx, order);
    if (c == 0) continue;
    const double *from = u + (size_t)(run->ring_x + k - 3) * ny;
    for (long at = 0; at < (long)run->mx * ny; at++) out[at] += c * from[at];
  }
}

static void differentiate_y(const Run *run, const double *lines, int order, double *out) {
  int ny = run->data->ny;
  memset(out, 0, sizeof(double) * run->m);
  for (int k = 0; k < 7; k++) {
    double c = stencil[order][k] / pow(run->data->dy, order);
    if (c == 0) continue;
    for (int i = 0; i < run->mx; i++) {
      const double *from = lines + (size_t)i * ny + run->ring_y + k - 3;
      double *to = out + (size_t)i * run->my;
      for (int j = 0; j < run->my; j++) to[j] += c * from[j];
    }
  }
}

static void rate_of(Run *run, const double *u, double *rate) {
  for (int i = 0; i <= ROLLOUT_ORDER; i++) {
    bool wanted = false;
    for (int j = 0; i + j <= ROLLOUT_ORDER; j++) wanted |= run->jets >> jet_of(i, j) & 1;
    if (!wanted) continue;
    differentiate_x(run, u, i, run->lines);
    for (int j = 0; i + j <= ROLLOUT_ORDER; j++)
      if (run->jets >> jet_of(i, j) & 1) differentiate_y(run, run->lines, j, run->jet[jet_of(i, j)]);
  }
  memset(rate, 0, sizeof(double) * run->m);
  for (int k = 0; k < run->nterms; k++) {
    const RolloutTerm *term = &run->term[k];
    const double *c = run->coefficient + (size_t)k * run->m;
    if (!term->linear) {
      term->values(term->user, (const double *const *)run->jet, run->m, run->feature);
      for (long at = 0; at < run->m; at++) rate[at] += c[at] * run->feature[at];
    }
    for (int jet = 0; term->linear && jet < JETS; jet++) {
      double factor = term->linear[jet];
      for (long at = 0; factor != 0 && at < run->m; at++) rate[at] += factor * c[at] * run->jet[jet][at];
    }
  }
}

/* ---- data on the ring -------------------------------------------------------------------------------------------------------------------------------------- */

static void put_ring(const Run *run, double time, double *u) {
  const RolloutData *d = run->data;
  int k = run->interval;
  double h = d->t[k + 1] - d->t[k], s = (time - d->t[k]) / h;
  double a = (1 + 2 * s) * (1 - s) * (1 - s), b = s * (1 - s) * (1 - s) * h, c = s * s * (3 - 2 * s), e = s * s * (s - 1) * h;
  const double *u0 = d->u + (size_t)k * run->nodes, *r0 = d->rate + (size_t)k * run->nodes, *u1 = u0 + run->nodes, *r1 = r0 + run->nodes;
  for (int i = 0; i < run->nring; i++) {
    int at = run->ring[i];
    u[at] = a * u0[at] + b * r0[at] + c * u1[at] + e * r1[at];
  }
}

static void put_inner(const Run *run, const double *inner, double *u) {
  for (int i = 0; i < run->mx; i++) memcpy(u + (size_t)(i + run->ring_x) * run->data->ny + run->ring_y, inner + (size_t)i * run->my, sizeof(double) * run->my);
}

static void take_inner(const Run *run, const double *u, double *inner) {
  for (int i = 0; i < run->mx; i++) memcpy(inner + (size_t)i * run->my, u + (size_t)(i + run->ring_x) * run->data->ny + run->ring_y, sizeof(double) * run->my);
}

/* ---- steps ------------------------------------------------------------------------------------------------------------------------------------------------- */

/* Dormand and Prince, A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6 (1980). */
static const double node[STAGES] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
static const double tableau[STAGES][STAGES - 1] = {
    {0},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};
static const double difference[STAGES] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};

/* One attempt from `inner` at `time`; the last stage is the new state. The error estimate over the tolerance; NAN: no finite value. */
static double attempt(Run *run, double time, double h, const double *inner, double *slope[STAGES], double *next) {
  long m = run->m;
  for (int s = 1; s < STAGES; s++) {
    memcpy(next, inner, sizeof(double) * m);
    for (int k = 0; k < s; k++)
      for (long at = 0; tableau[s][k] != 0 && at < m; at++) next[at] += h * tableau[s][k] * slope[k][at];
    put_ring(run, time + node[s] * h, run->full);
    put_inner(run, next, run->full);
    rate_of(run, run->full, slope[s]);
  }
  double sum = 0;
  for (long at = 0; at < m; at++) {
    double error = 0;
    for (int s = 0; s < STAGES; s++) error += difference[s] * slope[s][at];
    sum += h * error * h * error;
  }
  return sqrt(sum / m) / (TOLERANCE * run->scale);
}

static double largest_of(const double *u, long n) {
  double most = 0;
  for (long k = 0; k < n; k++) most = isfinite(u[k]) ? fmax(most, fabs(u[k])) : INFINITY;
  return most;
}

typedef struct Stepping { double h; double *inner, *next, *slope[STAGES]; } Stepping;

/* From snapshot run->interval to the next. false: blown up at *time. */
static bool advance(Run *run, Stepping *s, double *time, Rollout *out) {
  double end = run->data->t[run->interval + 1], least = 1e-10 * (end - *time);
  put_ring(run, *time, run->full);
  put_inner(run, s->inner, run->full);
  rate_of(run, run->full, s->slope[0]);
  while (*time < end) {
    bool last = *time + s->h * 1.01 >= end;
    double h = last ? end - *time : s->h, error = attempt(run, *time, h, s->inner, s->slope, s->next);
    if (++out->steps > STEPS_MOST) return false;
    double factor = isfinite(error) ? fmin(fmax(0.9 * pow(fmax(error, 1e-10), -0.2), 0.2), 4) : 0.1;
    if (error <= 1) {
      *time = last ? end : *time + h;
      double *swap = s->inner;
      s->inner = s->next, s->next = swap;
      swap = s->slope[0], s->slope[0] = s->slope[STAGES - 1], s->slope[STAGES - 1] = swap;      /* the last slope is the next one's first */
      double size = largest_of(s->inner, run->m) / run->largest;
      out->growth = fmax(out->growth, size);
      if (size > BLOWN) return false;
    } else factor = fmin(factor, 0.9);
    if (!last || error > 1 || !isfinite(error)) s->h = h * factor;
    if (s->h < least) return false;
  }
  return true;
}

/* ---- all of it --------------------------------------------------------------------------------------------------------------------------------------------- */

static bool run_open(Run *run, const RolloutData *data, const RolloutTerm *term, int nterms) {
  *run = (Run){.data = data, .term = term, .nterms = nterms, .nodes = (long)data->nx * data->ny};
  for (int k = 0; k < nterms; k++) run->jets |= term[k].jets;
  bool high = run->jets >> jet_of(3, 0);
  run->ring_x = 2 + high, run->ring_y = data->ny > 1 ? 2 + high : 0;
  run->mx = data->nx - 2 * run->ring_x, run->my = data->ny - 2 * run->ring_y, run->m = (long)run->mx * run->my;
  if (run->mx < 1 || run->my < 1 || data->nt < 2) return false;
  for (int jet = 0; jet < JETS; jet++)
    if (run->jets >> jet & 1) run->jet[jet] = malloc(sizeof(double) * run->m);
  run->coefficient = malloc(sizeof(double) * (run->m * nterms + 1));
  for (int k = 0; k < nterms; k++) take_inner(run, term[k].coefficient, run->coefficient + (size_t)k * run->m);
  run->lines = malloc(sizeof(double) * run->mx * data->ny), run->feature = malloc(sizeof(double) * run->m), run->full = malloc(sizeof(double) * run->nodes);
  run->ring = malloc(sizeof(int) * run->nodes);
  for (int i = 0; i < data->nx; i++)
    for (int j = 0; j < data->ny; j++)
      if (i < run->ring_x || i >= data->nx - run->ring_x || j < run->ring_y || j >= data->ny - run->ring_y) run->ring[run->nring++] = i * data->ny + j;
  double sum = 0;
  for (long k = 0; k < run->nodes * data->nt; k++) sum += data->u[k] * data->u[k];
  run->scale = sqrt(sum / (double)(run->nodes * data->nt)), run->largest = largest_of(data->u, run->nodes * data->nt);
  return run->scale > 0 && isfinite(run->largest);
}

static void run_close(Run *run) {
  for (int jet = 0; jet < JETS; jet++) free(run->jet[jet]);
  free(run->coefficient), free(run->lines), free(run->feature), free(run->full), free(run->ring);
}

/* Adds what the inner nodes of snapshot k differ from the data, and what the first state does. */
static void compare(const Run *run, int k, const double *inner, double *miss, double *stay) {
  const double *now = run->data->u + (size_t)k * run->nodes;
  for (int i = 0; i < run->mx; i++)
    for (int j = 0; j < run->my; j++) {
      long at = (long)(i + run->ring_x) * run->data->ny + j + run->ring_y;
      double a = inner[(long)i * run->my + j] - now[at], b = run->data->u[at] - now[at];
      *miss += a * a, *stay += b * b;
    }
}

void rollout_run(const RolloutData *data, const RolloutTerm *term, int nterms, double *predicted, Rollout *out) {
  Run run;
  Stepping s = {0};
  *out = (Rollout){.error = NAN, .blown_at = NAN};
  out->possible = run_open(&run, data, term, nterms);
  if (out->possible) {
    double time = data->t[0], miss = 0, stay = 0;
    s.h = (data->t[1] - data->t[0]) / 8;
    s.inner = malloc(sizeof(double) * run.m), s.next = malloc(sizeof(double) * run.m);
    for (int k = 0; k < STAGES; k++) s.slope[k] = malloc(sizeof(double) * run.m);
    take_inner(&run, data->u, s.inner);
    if (predicted) memcpy(predicted, data->u, sizeof(double) * run.nodes);
    for (run.interval = 0; run.interval < data->nt - 1 && !out->blown; run.interval++) {
      int k = run.interval + 1;
      if (!advance(&run, &s, &time, out)) out->blown = true, out->blown_at = time;
      compare(&run, k, s.inner, &miss, &stay);
      if (!predicted) continue;
      memcpy(predicted + (size_t)k * run.nodes, data->u + (size_t)k * run.nodes, sizeof(double) * run.nodes);
      put_inner(&run, s.inner, predicted + (size_t)k * run.nodes);
    }
    for (int k = run.interval + 1; out->blown && predicted && k < data->nt; k++)
      for (long at = 0; at < run.nodes; at++) predicted[(size_t)k * run.nodes + at] = NAN;
    out->error = out->blown ? INFINITY : stay > 0 ? sqrt(miss / stay) : NAN;
  }
  free(s.inner), free(s.next);
  for (int k = 0; k < STAGES; k++) free(s.slope[k]);
  run_close(&run);
}
