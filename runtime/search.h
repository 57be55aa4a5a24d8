/* Declared policies and searches of discoveries. */
#ifndef SEARCH_H
#define SEARCH_H
#include "eval.h"
#include "hunt.h"

/* policy NAME for DISCOVERY { agent: builtin; role R: A; sees VIEW; may propose hypothesis; budget: ...; phase ...; submit best ... } */
typedef struct PolicyValue {
  Name name;
  HuntSpec spec;
  Span language_model;               /* where it asks for one; {0, 0}: nowhere */
} PolicyValue;

/* search NAME of DISCOVERY { policy: NAME; seed: 1; record: "DIR" } */
typedef struct SearchValue {
  Name name;
  Value *discovery;                  /* retained */
  PolicyValue policy;                /* a copy; the builtin one where none is named */
  char *record;                      /* workspace; NULL: NAME.run of the discovery */
  Span span;
} SearchValue;

PolicyValue policy_builtin(void);
void policy_free(PolicyValue *policy);
void search_free(SearchValue *search);
/* Runs it in its workspace, which the host closes. As hunt_run. */
Json *search_run(Eval *ev, const SearchValue *search, Status *status);
/* "builtin", or a row of hunt_agents. False after E4080. */
bool search_agent(Eval *ev, const char *word, Span span, HuntAgent *out);

#endif
