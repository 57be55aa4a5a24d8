/* Declared hypotheses: a law of a discovery's language, or why it is none. */
#ifndef HYPOTHESIS_H
#define HYPOTHESIS_H
#include "discovery.h"

typedef struct HypothesisValue {
  Name name;
  Value *discovery;          /* retained */
  Law *law;                  /* owned; NULL: fault says why */
  LawFault fault;
  char *text;                /* the declaration; owned */
  Span span;
} HypothesisValue;

void hypothesis_free(HypothesisValue *hypothesis);
void hypothesis_print(Buf *out, const HypothesisValue *hypothesis);

#endif
