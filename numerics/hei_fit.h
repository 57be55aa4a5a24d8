/* Coefficients, smoothness and score of a law: systems of normal equations, their solutions, and what is made of them. */
#ifndef HEI_FIT_H
#define HEI_FIT_H
#include <stdint.h>

#include "hei_internal.h"

/* Rows G, right side b: N = G'G and h = G'b over all rows (fitting) and over inner rows (judging); |b|^2 and |u_t|^2 over inner rows. */
typedef struct HeiSystem { double *all, *inner, *h_all, *h_inner, square, null; } HeiSystem;

typedef struct HeiJudge { double *inner, *h_inner, square; } HeiJudge;      /* of `inner` the upper triangle */

typedef struct HeiFit {
  Hei *hei;
  const HeiLaw *law;
  int n, first[HEI_MAX_FIELDS + 1];
  HeiSystem system[2][HEI_INTERVALS];          /* trajectory, interval; the third one is for pooled fields alone */
  HeiJudge judge[2];
  double *matrix, *solution, *work;  /* [n]^2, [n], [n] */
} HeiFit;

void hei_fit_open(HeiFit *fit, Hei *hei, const HeiLaw *law);
void hei_fit_close(HeiFit *fit);
HeiOutcome hei_system_open(HeiFit *fit, int trajectory, int interval, int *at);      /* *at: the field of HEI_VANISHES */
/* fit->matrix = N + scale_k (smoothness_k P_k + floor), scale_k the mean diagonal of field k's block of `scaled`, times `factor`; the upper
 * triangle alone, which is LAPACK's lower one. */
void hei_penalise(HeiFit *fit, const double *normal, const double *scaled, double factor, const double *smoothness);
/* fit->solution; leaves the Cholesky factor in fit->matrix. */
bool hei_solve(HeiFit *fit, const double *normal, const double *right, const double *scaled, double factor, const double *smoothness);

/* Fills all of *result but the outcome, which it returns. */
HeiOutcome hei_fit(Hei *hei, const HeiLaw *law, HeiResult *result);

/* hei_score.c: the first `rows` weighed rows of u_t - known - sum_k C_k g_k in an interval of a trajectory. */
void hei_residual(Hei *hei, const HeiLaw *law, const double *coefficients, int trajectory, int interval, int rows, double *out);
/* coefficients[w] judged on the other trajectory; as in HeiResult. */
HeiOutcome hei_score(Hei *hei, const HeiLaw *law, int interval, double *const coefficients[2], double *error, double direction[2], double *deviation);
double hei_uniform(uint64_t *state); /* in (0, 1), from a state that starts anywhere */

#endif
