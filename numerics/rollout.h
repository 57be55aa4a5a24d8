/* A law solved forward from a measured state: u_t = sum_k c_k(x, y) g_k(u, u_x, ...) on a regular grid, with the measured values on a ring along the sides.
 * The other test of a law beside its residual: errors add up, and fields that make it ill-posed blow up. Pure.
 *
 * Method of lines: central differences of order 4 in space, Dormand and Prince's pair 5(4) with steps by its error estimate in time; on the ring the data,
 * cubic between snapshots by their values and rates. */
#ifndef ROLLOUT_H
#define ROLLOUT_H
#include <stdbool.h>

enum { ROLLOUT_ORDER = 4 };          /* of derivatives in space, as in hei.h */

/* c*g: g as HeiFeature has it (jets by hei_jet, linear or values), c on the nodes [nx][ny]. */
typedef struct RolloutTerm {
  unsigned jets;
  const double *linear;
  void (*values)(void *user, const double *const *jet, long n, double *out);
  void *user;
  const double *coefficient;
} RolloutTerm;

typedef struct RolloutData {
  int nx, ny, nt;                    /* ny 1: one dimension */
  double dx, dy;                     /* steps of the grid */
  const double *t;                   /* [nt] */
  const double *u, *rate;            /* [nt][nx][ny]: the state and its derivative by time, smooth */
} RolloutData;

typedef struct Rollout {
  bool possible;                     /* false: the grid is too small for the ring, or fewer than two snapshots */
  double error;                      /* root of the sum of squares of prediction - data, over that of data at the first time - data; INFINITY: blown up */
  double growth;                     /* largest size of the prediction over that of the data */
  bool blown; double blown_at;       /* the time from which on there is no prediction */
  long steps;
} Rollout;

/* predicted [nt][nx][ny], or NULL. */
void rollout_run(const RolloutData *data, const RolloutTerm *term, int nterms, double *predicted, Rollout *out);

#endif
