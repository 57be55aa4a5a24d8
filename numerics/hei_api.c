/* The table of the evaluator. */
#include "hei_api.h"

const HeiApi hei_api = {
    .for_scores = &hei_for_scores,
    .for_fields = &hei_for_fields,
    .options_for = hei_options_for,
    .open = hei_open,
    .close = hei_close,
    .feature = hei_feature,
    .evaluate = hei_evaluate,
    .result_free = hei_result_free,
    .pool = hei_pool,
    .field_values = hei_field_values,
    .evidence = hei_evidence,
    .evidence_free = hei_evidence_free,
    .score_sealed = hei_score_sealed,
    .prepared = hei_prepared,
    .outcome_text = hei_outcome_text,
    .rollout = hei_rollout,
    .rollout_sealed = hei_rollout_sealed,
    .nature = hei_nature,
    .group = hei_group,
};
