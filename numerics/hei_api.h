/* The evaluator of laws as the engine hands it out: hei.h, function by function. None of them needs PETSc or MPI. */
#ifndef HEI_API_H
#define HEI_API_H
#include "hei.h"
#include "hei_group.h"

typedef struct HeiApi {
  const HeiOptions *for_scores, *for_fields;
  HeiOptions (*options_for)(const HeiOptions *options, const HeiData *data);
  Hei *(*open)(const HeiData *data, const HeiOptions *options, HeiOutcome *outcome);
  void (*close)(Hei *hei);
  int (*feature)(Hei *hei, const HeiFeature *feature);
  void (*evaluate)(Hei *hei, int n, const HeiCandidate *candidate, HeiResult *result);
  void (*result_free)(HeiResult *result);
  HeiOutcome (*pool)(Hei *hei, const HeiCandidate *candidate, const HeiResult *result, HeiPooled *out);
  void (*field_values)(const Hei *hei, unsigned domain, const double *coefficients, double *values);
  HeiOutcome (*evidence)(Hei *hei, const HeiCandidate *candidate, const HeiResult *result, HeiEvidence *out);
  void (*evidence_free)(HeiEvidence *evidence);
  HeiOutcome (*score_sealed)(Hei *hei, const HeiData *data, int end, int n, const HeiCandidate *candidate, const HeiResult *result, HeiSealedScore *out);
  void (*prepared)(const Hei *hei, int trajectory, HeiPrepared *out);
  const char *(*outcome_text)(HeiOutcome outcome);
  HeiOutcome (*rollout)(Hei *hei, const HeiData *data, const HeiCandidate *candidate, double *const coefficients[2], HeiRollout *out);
  HeiOutcome (*rollout_sealed)(Hei *hei, const HeiData *data, int end, const HeiCandidate *candidate, double *const coefficients[2], HeiRollout *out);
  HeiOutcome (*nature)(Hei *hei, const HeiData *data, const HeiCandidate *candidate, const double *coefficients, const double *weight, HeiNature *out);
  HeiOutcome (*group)(Hei *hei, int n, const HeiField *field, int most, HeiSupport out[], int *chosen);
} HeiApi;

extern const HeiApi hei_api;      /* inside the engine; others have it as EngineApi.hei */

#endif
