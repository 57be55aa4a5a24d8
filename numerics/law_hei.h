/* Laws as the evaluator takes them: features of the state that laws share, by their text, and the parts of fields. */
#ifndef LAW_HEI_H
#define LAW_HEI_H
#include "../lang/law.h"
#include "hei.h"

typedef struct LawFeatures LawFeatures;

/* `feature` registers one with `hei` (hei_feature, or EngineApi.hei->feature). Free it after `hei` was closed: the evaluator calls its functions. */
LawFeatures *law_features_new(Hei *hei, int (*feature)(Hei *hei, const HeiFeature *feature));
void law_features_free(LawFeatures *features);

/* Its canonical form; fields are in the order of law->field. What it gives lives as long as `features`, the law need not. One thread at a time. */
const HeiCandidate *law_candidate(LawFeatures *features, const Law *law);

/* Values of a sum at n points from those of the jets in it: jet[law_jet(dx, dy)][n]. */
void law_values(LawSum sum, const double *const *jet, long n, double *out);

#endif
