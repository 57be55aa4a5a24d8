#include "search_lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lang/memory.h"

bool search_lab_open(SearchLab *lab, const HeiData *data, const HeiOptions *options, unsigned functions, HeiOutcome *outcome) {
  *lab = (SearchLab){.names = interner_new(), .nx = data->nx, .ny = data->ny};
  lab->pool = expr_pool_new(lab->names);
  lab->space = (LawSpace){.pool = lab->pool, .dim = data->ny > 1 ? 2 : 1, .state = intern(lab->names, "u", 1), .unit = UNIT_ANY, .order = 2, .functions = functions, .fields = 5, .nodes = 60};
  lab->language = structure_language(&lab->space, lab->function);
  lab->hei = hei_open(data, options, outcome);
  if (!lab->hei) return search_lab_close(lab), false;
  lab->features = law_features_new(lab->hei, hei_feature);
  structure_anchors(data->nx, data->ny, data->x, data->y, lab->anchor);
  return true;
}

void search_lab_close(SearchLab *lab) {
  if (lab->hei) hei_close(lab->hei);
  law_features_free(lab->features);
  expr_pool_free(lab->pool);
  interner_free(lab->names);
  free(lab->kept);
  *lab = (SearchLab){0};
}

Law *search_lab_law(SearchLab *lab, const Structure *structure) {
  LawFault fault;
  return structure_law(structure, &lab->language, &lab->space, lab->names, &fault);
}

static void lab_score(void *user, const Structure *structure, StructureScore *out) {
  SearchLab *lab = user;
  Law *law = search_lab_law(lab, structure);
  *out = (StructureScore){.state = STRUCTURE_INVALID};
  if (!law) return;
  for (int k = 0; k < lab->nkept; k++)
    if (!strcmp(lab->kept[k].id, law->id)) { *out = lab->kept[k].score, law_free(law); return; }
  HeiResult result;
  const HeiCandidate *candidate = law_candidate(lab->features, law);
  hei_evaluate(lab->hei, 1, candidate, &result);
  *out = (StructureScore){.state = result.outcome ? STRUCTURE_FAILED : STRUCTURE_SCORED, .fields = law->nfields, .error = result.error,
                          .direction = {result.direction[0], result.direction[1]}, .deviation = result.standard_error};
  for (int k = 0; k < law->nfields && !result.outcome; k++) out->difference = fmax(out->difference, result.stability[k]);
  snprintf(out->id, sizeof out->id, "%s", law->id);
  lab->kept = realloc(lab->kept, sizeof *lab->kept * (size_t)(lab->nkept + 1));
  snprintf(lab->kept[lab->nkept].id, sizeof law->id, "%s", law->id);
  lab->kept[lab->nkept++].score = *out, lab->charged++;
  hei_result_free(&result), law_free(law);
}

static bool lab_evidence(void *user, const Structure *structure, const StructureScore *score, StructureEvidence *out) {
  SearchLab *lab = user;
  (void)score;
  Law *law = search_lab_law(lab, structure);
  if (!law) return false;
  HeiResult result;
  HeiEvidence evidence;
  const HeiCandidate *candidate = law_candidate(lab->features, law);
  hei_evaluate(lab->hei, 1, candidate, &result);
  bool known = !result.outcome && !hei_evidence(lab->hei, candidate, &result, &evidence);
  if (known) structure_evidence(structure, law, &evidence, lab->nx, lab->ny, lab->anchor, lab->values, out), hei_evidence_free(&evidence);
  hei_result_free(&result), law_free(law);
  return known;
}

StructureJudge search_lab_judge(SearchLab *lab) { return (StructureJudge){.score = lab_score, .evidence = lab_evidence, .user = lab}; }
