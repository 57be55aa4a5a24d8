/* What the text of a pde shows before anything is solved: for `pde check`, :info. No engine. */
#ifndef PDE_FACTS_H
#define PDE_FACTS_H
#include "host.h"
#include "json.h"

void pde_facts_print(Buf *out, const Host *host, const PdeValue *pde);
Json *pde_facts_json(const Host *host, const PdeValue *pde);      /* owned */

/* The rules of solver.def for one process: the solver for each range of unknowns (degrees of freedom). */
typedef struct SolverRange { long from, to; const char *solver, *why; } SolverRange;
int pde_solver_ranges(const PdeValue *pde, SolverRange *out, int max);
int solver_names(const char **names, const char **docs, int max);

#endif
