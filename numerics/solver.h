/* The choice of a linear solver by class, size and reuse: rows and rules of solver.def. No PETSc: `pde check` asks as well. */
#ifndef SOLVER_H
#define SOLVER_H
#include <stdbool.h>

typedef enum StoreKind { STORE_AIJ, STORE_BAIJ, STORE_SBAIJ } StoreKind;    /* of the matrix, as PETSc calls them */

typedef struct SolverRow {
  const char *name, *method, *preconditioner, *package;      /* the last three by PETSc's names; package NULL: its own */
  StoreKind store;
  const char *title, *doc;
} SolverRow;
extern const SolverRow solver_rows[];
extern const int solver_row_count;
const SolverRow *solver_row(const char *name);       /* NULL: none */

typedef struct SolverClass {
  unsigned findings;
  int dim, nblocks, components;      /* components of the only block */
  bool joined;                       /* cells couple across facets: rows are no blocks of nodes */
  bool bordered, reused, grids;      /* has multipliers; one matrix serves many solves; geometric multigrid fits */
  long ndofs;
  int nranks;
} SolverClass;
const SolverRow *solver_choose(const SolverClass *of, const char **why);

/* The solver for each range of unknowns (degrees of freedom), rising; of.ndofs does not count. Their number. */
typedef struct SolverRange { long from, to; const char *solver, *why; } SolverRange;
int solver_ranges(SolverClass of, SolverRange *out, int max);

#endif
