/* Searches for laws on arrays, by the evaluator alone: what tests and tools of the searches share. */
#ifndef SEARCH_LAB_H
#define SEARCH_LAB_H
#include "../../lang/law.h"
#include "../../numerics/hei_group.h"
#include "../../numerics/law_hei.h"
#include "../../numerics/structure_law.h"
#include "../../numerics/structure_search.h"

typedef struct SearchLab {
  Interner *names;
  ExprPool *pool;
  LawSpace space;
  StructureLanguage language;
  const char *function[LAW_FUNCTIONS];
  Hei *hei;
  LawFeatures *features;
  int nx, ny;
  double anchor[2][STRUCTURE_ANCHORS];
  StructurePlane values[STRUCTURE_GROUPS];
  struct LabKept { char id[16]; StructureScore score; } *kept; int nkept;      /* what was scored: asked again it costs nothing */
  int charged;
} SearchLab;

/* `functions`: bits as in LawSpace. False: *outcome says why. */
bool search_lab_open(SearchLab *lab, const HeiData *data, const HeiOptions *options, unsigned functions, HeiOutcome *outcome);
void search_lab_close(SearchLab *lab);
StructureJudge search_lab_judge(SearchLab *lab);
Law *search_lab_law(SearchLab *lab, const Structure *structure);       /* NULL: not in the language */

#endif
