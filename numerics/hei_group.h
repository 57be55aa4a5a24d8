/* Which of many terms, each with a coefficient field of its own, explain the data: sparse regression on groups of spline coefficients, after WG-IDENT (Tang,
 * He, Liu, J. Comput. Phys. 545, 2026), the closest method in print. One support for each size by group projected subspace pursuit (He, Kang, Liao, Liu,
 * Touzi: GP-IDENT, 2023) on the weighed weak rows of both trajectories' first two intervals, then trimmed of what contributes little; the size by the
 * reduction in residual. Not as there: the rows and the smoothness penalty are those of hei.h, the weight of the penalty (the same for all fields) is
 * the one that carries over best from one trajectory to the other. */
#ifndef HEI_GROUP_H
#define HEI_GROUP_H
#include "hei.h"

typedef struct HeiSupport {
  int n, group[HEI_MAX_FIELDS];      /* numbers of `field`, rising */
  double residual;                   /* relative, of the rows that it was fitted to */
  double transfer;                   /* relative, fitted on one trajectory and taken on the other; mean of both ways */
} HeiSupport;

enum { HEI_GROUPS = 40 };
/* out[k]: the support for size k + 1, k < most; *chosen: the one that the reduction in residual asks for. Reads intervals 1 and 2 alone. */
HeiOutcome hei_group(Hei *hei, int n, const HeiField *field, int most, HeiSupport out[], int *chosen);

#endif
