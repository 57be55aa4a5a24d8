/* What the text of a pde shows before anything is solved: for `pde check`, :info. No engine. */
#ifndef PDE_FACTS_H
#define PDE_FACTS_H
#include "host.h"
#include "json.h"

void pde_facts_print(Buf *out, const Host *host, const PdeValue *pde);
Json *pde_facts_json(const Host *host, const PdeValue *pde);      /* owned */

/* Rows of solver.def and scheme.def for documentation and completion. */
typedef struct NamedRow { const char *name, *title, *doc; } NamedRow;
const NamedRow *solver_docs(int *n);
const NamedRow *scheme_docs(int *n);

#endif
