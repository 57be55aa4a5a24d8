/* Structures as laws, without text between. */
#ifndef STRUCTURE_LAW_H
#define STRUCTURE_LAW_H
#include "../lang/law.h"
#include "hei.h"
#include "structure.h"

/* What the candidate language of a discovery allows, for searches; `function` [LAW_FUNCTIONS] is filled and referred to. */
StructureLanguage structure_language(const LawSpace *space, const char *function[LAW_FUNCTIONS]);
/* NULL after filling *fault. */
Law *structure_law(const Structure *structure, const StructureLanguage *language, const LawSpace *space, Interner *names, LawFault *fault);

/* Evidence of its law at every so many nodes [nx][ny]; anchor[axis][STRUCTURE_ANCHORS] from the ends x, y; *out points into both arrays. */
enum { STRUCTURE_ANCHORS = 16 };
typedef double StructurePlane[STRUCTURE_ANCHORS * STRUCTURE_ANCHORS];
void structure_anchors(int nx, int ny, const double x[2], const double y[2], double anchor[2][STRUCTURE_ANCHORS]);
void structure_evidence(const Structure *structure, const Law *law, const HeiEvidence *of, int nx, int ny, double anchor[2][STRUCTURE_ANCHORS],
                        StructurePlane values[STRUCTURE_GROUPS], StructureEvidence *out);

#endif
