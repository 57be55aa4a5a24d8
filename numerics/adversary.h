/* The search for the largest violation over the inputs of a contract. A point is u[dim]: first coordinates in [0, 1], then blocks of mixture coefficients
 * (design.h). Values come in batches from a callback; the cost is counted in them. The same problem, options and seed give the same result. Pure.
 *
 *   random, seeds      points of the seed's own and those given (a failure bank)
 *   filling            a scrambled Sobol design: no basin is missed because the first points were unlucky, and what has no slope outside of a small place
 *                      is found as by a random search of the same cost; budget that climbs do not use goes there too
 *   climbing           from the best points, each in a basin of its own: projected Adam (Kingma and Ba, 2015) with a rate that falls; without gradients, or
 *                      where they vanish, pattern search along coordinates or random directions (Kolda, Lewis, Torczon, SIAM Review 45, 2003)
 *   polishing          pattern search with small steps from the best point of all
 *
 * The best point ever seen is kept and evaluated again by `check`. */
#ifndef ADVERSARY_H
#define ADVERSARY_H
#include <stdbool.h>
#include <stdint.h>

typedef struct AdversaryBlock { int first, n, rule; } AdversaryBlock;      /* coefficients u[first .. first + n); rule: a Mixture of predict.h */

typedef struct AdversaryProblem {
  int dim, nbox;                     /* u[0 .. nbox) in [0, 1]; the rest in blocks */
  const AdversaryBlock *block; int nblocks;
  int batch;                         /* points a call that are convenient */
  bool differentiable;
  /* values[n], NAN where there is none (no value, or not admissible). gradient NULL or [n][dim]. smooth: see TapeApi.gradient, 0: the value itself.
   * Nonzero: stop, the search ends with what it has. */
  int (*evaluate)(void *user, int n, const double *u, double smooth, double *values, double *gradient);
  double (*check)(void *user, const double *u);      /* NULL: evaluate with smooth 0 */
  void *user;
  const double *seeds; int nseeds;   /* [nseeds][dim] */
} AdversaryProblem;

typedef struct AdversaryOptions {
  uint64_t seed;
  int random, starts, steps;         /* <= 0: 32, 8, 200 */
  double rate, smooth;               /* <= 0: 0.05, 0 */
  long budget;                       /* evaluations in all, seeds apart; <= 0: random + starts*steps, and a quarter of that for the filling */
} AdversaryOptions;

typedef enum AdversaryPhase { ADVERSARY_RANDOM, ADVERSARY_SEEDS, ADVERSARY_FILLING, ADVERSARY_CLIMBING, ADVERSARY_PATTERN, ADVERSARY_POLISHING } AdversaryPhase;

typedef struct AdversaryResult {
  double value;                      /* -INFINITY: no point had a value */
  double *u;                         /* [dim], the caller's: free it */
  AdversaryPhase phase;                 /* that found it */
  long evaluations, gradients;       /* evaluations: with and without gradient */
  bool stopped;
} AdversaryResult;

void adversary_run(const AdversaryProblem *problem, const AdversaryOptions *options, AdversaryResult *out);
long adversary_budget(const AdversaryOptions *options);
const char *adversary_phase_name(AdversaryPhase phase);

/* Into the admissible set: clipped, projected. */
void adversary_project(const AdversaryProblem *problem, double *u);
/* Point `index` of the random stream: uniform in the box, a mixture of few members in each block. */
void adversary_random(const AdversaryProblem *problem, uint64_t seed, uint32_t stream, uint64_t index, double *u);

#endif
