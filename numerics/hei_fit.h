/* Coefficients, smoothness and score of a candidate that is given by its terms. */
#ifndef HEI_FIT_H
#define HEI_FIT_H
#include "hei_internal.h"

/* known: the number of the term without field, -1: there is none. Fills all of *result but the outcome, which it returns. */
HeiOutcome hei_fit(Hei *hei, int nfields, const int *term, int known, HeiResult *result);
/* As hei_pool. */
HeiOutcome hei_pool_terms(Hei *hei, int nfields, const int *term, int known, const HeiResult *result, HeiPooled *out);

#endif
