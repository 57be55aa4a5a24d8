/* Pages of `pde doc` about kinds of declarations: their clauses and a script that runs. */
#ifndef DOC_KINDS_H
#define DOC_KINDS_H
#include "../lang/buf.h"

typedef struct KindPage {
  const char *word;            /* as in decl_rows */
  const char *text;            /* what it is for */
  const char *clauses[12][2];  /* as written, what it says; ended by NULL */
  const char *example;         /* a whole script: tests run it */
} KindPage;

extern const KindPage kind_pages[];           /* ended by word NULL */
void doc_kind(Buf *out, const char *word);    /* appends the page; nothing where there is none */

#endif
