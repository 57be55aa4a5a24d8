/* The inputs of probes as points of a search: scalars in their ranges as coordinates in [0, 1], histories as mixtures of the map's bank. */
#ifndef PROBE_SPACE_H
#define PROBE_SPACE_H
#include "predict.h"
#include "adversary.h"

typedef struct ProbeSpace {
  const MapSpec *spec;
  int nprobes, nscalars, dim;
  int *scalar;                       /* [nscalars] inputs that are numbers */
  bool histories;
  AdversaryBlock *block; int nblocks;   /* one a probe, where there are histories */
} ProbeSpace;

/* u of one probe after another: all numbers first, then a block of coefficients each. */
void probe_space_open(const MapSpec *spec, int nprobes, ProbeSpace *out);
void probe_space_close(ProbeSpace *space);
void probe_space_problem(const ProbeSpace *space, AdversaryProblem *problem);                      /* sets dim, nbox, block */
void probe_space_rows(const ProbeSpace *space, const double *u, double *rows);                  /* [nprobes][width] */
void probe_space_gradient(const ProbeSpace *space, const double *rows_bar, double *u_bar);      /* transposed */
/* The point of one probe's row; of histories the members that it was mixed from must be known: a[nbank], or NULL where there are none. */
void probe_space_point(const ProbeSpace *space, const double *rows, const double *const *a, double *u);

/* Moves what violates (value >= threshold) towards the simplest: numbers to 0, to the middle, an end, few digits; the same in all probes; coefficients to 0, to
 * one member, few digits. Every step is evaluated with `check`. value is renewed. Returns the evaluations used. */
long probe_space_shrink(const ProbeSpace *space, const AdversaryProblem *problem, double threshold, double *u, double *value);

#endif
