/* Violations planted in the unit cube, larger than half of their maximum 1 on a hundredth of it, and what searches make of them. */
#ifndef PLANTED_H
#define PLANTED_H
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../numerics/adversary.h"
#include "../../numerics/design.h"

typedef enum PlantedKind { PLANTED_SMOOTH, PLANTED_NARROW /* ellipsoid, axes 1:6, turned */, PLANTED_DECOYS /* eight wider hills of height 0.85 */, PLANTED_COMPACT,
                           PLANTED_NEEDLE /* compact, on a thousandth, and a slope that leads away from it */ } PlantedKind;
static const char *const planted_names[] = {"smooth", "narrow", "decoys", "compact", "needle"};

enum { DIM_MAX = 8, DECOYS = 8 };

typedef struct Planted {
  PlantedKind kind;
  int dim;
  double centre[DIM_MAX], radius, turn[DIM_MAX][DIM_MAX], decoy[DECOYS][DIM_MAX];
  long calls;
} Planted;

/* Radius of the ball that fills a part of the unit cube. */
static inline double ball_radius(int dim, double part) { return pow(part * tgamma(dim / 2. + 1) / pow(M_PI, dim / 2.), 1. / dim); }

static inline Planted planted_make(PlantedKind kind, int dim, uint64_t seed) {
  Planted p = {.kind = kind, .dim = dim, .radius = ball_radius(dim, kind == PLANTED_NEEDLE ? 0.001 : 0.01)};
  Draw draw = draw_open(seed, 77, (uint64_t)(100 * dim + (int)kind));
  for (int i = 0; i < dim; i++) p.centre[i] = draw_between(&draw, 0.25, 0.75);
  for (int k = 0; k < DECOYS; k++)
    do
      for (int i = 0; i < dim; i++) p.decoy[k][i] = draw_between(&draw, 0.1, 0.9);
    while (fabs(p.decoy[k][0] - p.centre[0]) < 0.1);
  /* columns: an orthonormal basis, scaled so that the volume stays */
  double log_volume = 0, axis[DIM_MAX];
  for (int j = 0; j < dim; j++) axis[j] = pow(6, (double)j / (dim - 1)), log_volume += log(axis[j]) / dim;
  for (int j = 0; j < dim; j++) {
    double v[DIM_MAX], norm = 0;
    for (int i = 0; i < dim; i++) v[i] = draw_between(&draw, -1, 1);
    for (int k = 0; k < j; k++) {
      double dot = 0, size = 0;
      for (int i = 0; i < dim; i++) dot += v[i] * p.turn[k][i], size += p.turn[k][i] * p.turn[k][i];
      for (int i = 0; i < dim; i++) v[i] -= dot / size * p.turn[k][i];
    }
    for (int i = 0; i < dim; i++) norm += v[i] * v[i];
    for (int i = 0; i < dim; i++) p.turn[j][i] = v[i] / sqrt(norm) / (axis[j] / exp(log_volume));
  }
  return p;
}

/* exp(-ln 2 r^2/radius^2), of r^2 = |T (u - c)|^2, added to value and gradient. */
static inline void hill(const Planted *p, const double *u, const double *c, double radius, double height, bool turned, double *value, double *gradient) {
  double r2 = 0, g[DIM_MAX] = {0};
  for (int j = 0; j < p->dim; j++) {
    double w = 0;
    for (int i = 0; i < p->dim; i++) w += (turned ? p->turn[j][i] : i == j) * (u[i] - c[i]);
    r2 += w * w;
    for (int i = 0; i < p->dim; i++) g[i] += 2 * w * (turned ? p->turn[j][i] : i == j);
  }
  double k = M_LN2 / (radius * radius), v = height * exp(-k * r2);
  if (v <= *value) return;      /* the largest hill counts */
  *value = v;
  for (int i = 0; i < p->dim && gradient; i++) gradient[i] = -k * v * g[i];
}

static inline void planted_value(const Planted *p, const double *u, double *value, double *gradient) {
  *value = 0;
  if (gradient) memset(gradient, 0, sizeof(double) * (size_t)p->dim);
  if (p->kind == PLANTED_COMPACT || p->kind == PLANTED_NEEDLE) {      /* (1 - r^2/2R^2)^2: a half at 0.77 R, nothing beyond 1.41 R */
    double r2 = 0, R2 = p->radius * p->radius / 0.586;
    for (int i = 0; i < p->dim; i++) r2 += (u[i] - p->centre[i]) * (u[i] - p->centre[i]);
    double q = 1 - r2 / (2 * R2);
    if (q > 0) {
      *value = q * q;
      for (int i = 0; i < p->dim && gradient; i++) gradient[i] = -2 * q * (u[i] - p->centre[i]) / R2;
    } else if (p->kind == PLANTED_NEEDLE) {
      double slope = p->centre[0] > 0.5 ? -0.2 : 0.2;
      *value = 0.2 + slope * (u[0] - 0.5);
      if (gradient) gradient[0] = slope;
    }
    return;
  }
  hill(p, u, p->centre, p->radius, 1, p->kind == PLANTED_NARROW, value, gradient);
  for (int k = 0; p->kind == PLANTED_DECOYS && k < DECOYS; k++) hill(p, u, p->decoy[k], 1.2 * p->radius, 0.85, false, value, gradient);
}

static inline int planted_evaluate(void *user, int n, const double *u, double smooth, double *values, double *gradient) {
  Planted *p = user;
  (void)smooth;
  p->calls += n;
  for (int k = 0; k < n; k++) planted_value(p, u + k * p->dim, &values[k], gradient ? gradient + k * p->dim : NULL);
  return 0;
}

typedef struct PlantedScore { double found, random; long calls; AdversaryPhase phase; } PlantedScore;

/* The adversary, and a random search with as many evaluations. */
static inline PlantedScore planted_search(PlantedKind kind, int dim, uint64_t seed, bool gradients) {
  Planted p = planted_make(kind, dim, seed);
  AdversaryProblem problem = {.dim = dim, .nbox = dim, .batch = 64, .differentiable = gradients, .evaluate = planted_evaluate, .user = &p};
  AdversaryResult result;
  adversary_run(&problem, &(AdversaryOptions){.seed = seed}, &result);
  PlantedScore score = {.found = result.value, .calls = p.calls, .phase = result.phase};
  for (long k = 0; k < p.calls; k++) {
    double u[DIM_MAX], value;
    adversary_random(&problem, seed + 1000, 5, (uint64_t)k, u);
    planted_value(&p, u, &value, NULL);
    score.random = fmax(score.random, value);
  }
  free(result.u);
  return score;
}

#endif
