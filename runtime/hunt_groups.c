/* The baseline: sparse group selection among the plain terms of the grammar. */
#include <stdlib.h>
#include <string.h>

#include "hunt_internal.h"

enum { SIZES = 5 };

static Status select_groups(Hunt *h, int n, const Structure *term, int most, HeiSupport *support, int *chosen) {
  HeiField field[HEI_GROUPS];
  Hei *hei;
  LawFeatures *features;
  TRY(discover_evaluator(h->discover, false, &hei, &features));
  for (int k = 0; k < n; k++) {
    Law *law = hunt_law(h, &term[k]);
    field[k] = law_candidate(features, law)->field[0];
    law_free(law);
  }
  HeiOutcome outcome = h->discover->api->group(hei, n, field, most, support, chosen);
  if (!outcome) return 0;
  diag_report(&h->host->diags, E4046, h->spec->span, "terms cannot be selected: %s", h->discover->api->outcome_text(outcome));
  return 1;
}

Status hunt_groups(Hunt *h, const StructureJudge *judge, StructureHunt *out) {
  Structure term[HEI_GROUPS], law[SIZES];
  HeiSupport support[SIZES];
  int chosen, n = structure_library(&h->language, term, HEI_GROUPS), most = h->language.fields < SIZES ? h->language.fields : SIZES;
  if (most > n) most = n;
  TRY(select_groups(h, n, term, most, support, &chosen));
  for (int k = 0; k < most; k++) {
    law[k] = (Structure){0};
    for (int i = 0; i < support[k].n; i++) structure_join(&law[k], &term[support[k].group[i]]);
  }
  structure_try(&h->language, &h->options, judge, law, most, out);
  return 0;
}
