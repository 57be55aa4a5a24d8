#include "solver.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "form.h"

const SolverRow solver_rows[] = {
#define SOLVER(name, method, preconditioner, package, store, title, doc) {name, method, preconditioner, package, store, title, doc},
#include "solver.def"
#undef SOLVER
};
const int solver_row_count = sizeof solver_rows / sizeof *solver_rows;

typedef struct Rule {
  const char *solver;
  unsigned needs, without;
  int dim_from, dim_to, components_from, components_to;
  long dofs_from, dofs_to;
  int reused, ranks;            /* ranks 1: one only; 2: several only; 0 either */
  const char *why;
} Rule;

static const Rule rules[] = {
#define RULE(solver, needs, without, dim_from, dim_to, c_from, c_to, n_from, n_to, reused, ranks, why) \
  {solver, needs, without, dim_from, dim_to, c_from, c_to, n_from, n_to, reused, ranks, why},
#include "solver.def"
#undef RULE
};

const SolverRow *solver_row(const char *name) {
  for (int i = 0; i < solver_row_count; i++)
    if (!strcmp(solver_rows[i].name, name)) return &solver_rows[i];
  return NULL;
}

const SolverRow *solver_choose(const SolverClass *of, const char **why) {
  if (of->bordered) {
    *why = "a constraint or an integral in the equations: a full row and column beside the sparse ones";
    return solver_row("mumps");
  }
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    const Rule *rule = &rules[i];
    bool fits = (of->findings & rule->needs) == rule->needs && !(of->findings & rule->without) && of->dim >= rule->dim_from && of->dim <= rule->dim_to &&
                of->components >= rule->components_from && of->components <= rule->components_to && of->ndofs >= rule->dofs_from && of->ndofs <= rule->dofs_to &&
                (rule->reused < 0 || rule->reused == of->reused) && (rule->ranks == 0 || (rule->ranks == 1) == (of->nranks == 1));
    const SolverRow *row = fits ? solver_row(rule->solver) : NULL;
    if (!row || (row->store != STORE_AIJ && (of->nblocks > 1 || of->joined)) || (!strcmp(row->preconditioner, "mg") && !of->grids)) continue;
    *why = rule->why;
    return row;
  }
  *why = "nothing else fits";
  return solver_row("mumps");
}

static int by_size(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y);
}

int solver_ranges(SolverClass of, SolverRange *out, int max) {
  enum { RULES = sizeof rules / sizeof *rules };
  long starts[2 * RULES + 1];
  int n = 0, found = 0;
  starts[n++] = 0;
  for (int i = 0; i < RULES; i++) {     /* the answer changes only where a rule begins or ends */
    starts[n++] = rules[i].dofs_from;
    if (rules[i].dofs_to < LONG_MAX) starts[n++] = rules[i].dofs_to + 1;
  }
  qsort(starts, (size_t)n, sizeof *starts, by_size);
  for (int i = 0; i < n; i++) {
    SolverRange range = {.from = starts[i], .to = LONG_MAX};
    of.ndofs = starts[i];
    range.solver = solver_choose(&of, &range.why)->name;
    if (found && !strcmp(out[found - 1].solver, range.solver)) continue;
    if (found) out[found - 1].to = starts[i] - 1;
    if (found < max) out[found++] = range;
  }
  return found;
}
