/* A law with given fields on a grid, and the denoised state there: what the evaluator's weak rows average, by points. */
#ifndef HEI_TERMS_H
#define HEI_TERMS_H
#include "hei_fit.h"
#include "rollout.h"

/* The nodes that are used of an axis: without the outermost ones, whose derivatives are the least sure, and no more than the smoothed state needs. */
typedef struct HeiNodes { int first, step, n; } HeiNodes;
HeiNodes hei_nodes(int n);

/* Denoised states and rates at the snapshots of an interval, [nt][x.n][y.n]. */
void hei_denoised(const Hei *hei, int trajectory, int interval, HeiNodes x, HeiNodes y, double *u, double *rate);

/* One term a feature: its coefficient [x.n][y.n] is the sum of all that multiplies it. Opened from zero. */
typedef struct HeiTerms { RolloutTerm *term; int *feature, n; double **coefficient; } HeiTerms;
void hei_terms_open(const Hei *hei, const HeiData *data, const HeiCandidate *law, const double *coefficients, HeiNodes x, HeiNodes y, HeiTerms *terms);
void hei_terms_close(HeiTerms *terms);

#endif
