/* Declared hypotheses: a law of a discovery's language, or why it is none. */
#ifndef HYPOTHESIS_H
#define HYPOTHESIS_H
#include "discovery.h"
#include "json.h"

typedef struct HypothesisValue {
  Name name;
  Value *discovery;          /* retained */
  Law *law;                  /* owned; NULL: fault says why */
  LawFault fault;
  char *text;                /* the declaration; owned */
  char *equation;            /* as the author spelt it, on one line; owned; NULL: there is none */
  Span span, place;          /* of the declaration; where the fault is */
} HypothesisValue;

void hypothesis_free(HypothesisValue *hypothesis);
void hypothesis_print(Buf *out, const HypothesisValue *hypothesis);
Value *hypothesis_member(Eval *ev, Value *of, Name name, Span span);
/* Lines of `pde check`: the law, its canonical form and id, what its fields are. */
void hypothesis_facts(Buf *out, const HypothesisValue *hypothesis);
Json *hypothesis_json(const HypothesisValue *hypothesis);      /* name, discovery, id, equation, canonical, latex, key, nodes, fields, canonical_fields; of none code, found */

#endif
