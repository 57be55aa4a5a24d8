/* Declared discoveries: the data of one system, the language of its candidate laws, and what may be spent on them. */
#ifndef DISCOVERY_H
#define DISCOVERY_H
#include "../lang/law.h"
#include "eval.h"

typedef struct DiscoveryValue {
  Name name;
  LawSpace space;            /* state, dimension, language: what its laws share */
  char **path; int npaths;   /* of the trajectories, as written; owned */
  double budget;             /* unique evaluations */
  char *declaration;         /* its text, which a workspace is made for; owned */
  Span span, trajectories_span;
} DiscoveryValue;

char *discovery_text(Host *host, Span declaration);      /* as written; malloc */
void discovery_free(DiscoveryValue *discovery);
void discovery_print(Buf *out, const DiscoveryValue *discovery);

#endif
