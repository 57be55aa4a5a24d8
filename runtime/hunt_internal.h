/* What the files of hunt*.c share. */
#ifndef HUNT_INTERNAL_H
#define HUNT_INTERNAL_H
#include <time.h>

#include "../numerics/structure_law.h"
#include "discover_internal.h"
#include "hunt.h"

typedef struct Hunt {
  Host *host;
  Discover *discover;
  const HuntSpec *spec;
  StructureOptions options;
  const LawSpace *space;
  StructureLanguage language;
  const char *function[LAW_FUNCTIONS];
  double anchor[2][STRUCTURE_ANCHORS];
  StructurePlane values[STRUCTURE_GROUPS];
  struct timespec start;
  int charged, told;
  bool failed;                       /* reported */
} Hunt;

Law *hunt_law(const Hunt *hunt, const Structure *structure);       /* NULL: not in the language */

/* hunt_groups.c: the baseline. Its laws, one for each size, are the trials of *out. */
Status hunt_groups(Hunt *hunt, const StructureJudge *judge, StructureHunt *out);

#endif
