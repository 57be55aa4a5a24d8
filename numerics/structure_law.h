/* Structures as laws, without text between. */
#ifndef STRUCTURE_LAW_H
#define STRUCTURE_LAW_H
#include "../lang/law.h"
#include "structure.h"

/* What the candidate language of a discovery allows, for searches; `function` [LAW_FUNCTIONS] is filled and referred to. */
StructureLanguage structure_language(const LawSpace *space, const char *function[LAW_FUNCTIONS]);
/* NULL after filling *fault. */
Law *structure_law(const Structure *structure, const StructureLanguage *language, const LawSpace *space, Interner *names, LawFault *fault);

#endif
