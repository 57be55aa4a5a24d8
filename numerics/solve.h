/* Linear systems: choice by class, size and reuse (rows and rules of solver.def), PETSc's KSP, the true residual. */
#ifndef SOLVE_H
#define SOLVE_H
#include "multigrid.h"
#include "pattern.h"
#include "problem.h"

typedef struct SolverRow {
  const char *name, *method, *preconditioner, *package;
  StoreKind store;
  const char *title, *doc;
} SolverRow;
extern const SolverRow solver_rows[];
extern const int solver_row_count;
const SolverRow *solver_row(const char *name);       /* NULL: none */

typedef struct SolverClass {
  unsigned findings;
  int dim, nblocks, components;      /* components of the only block */
  bool bordered, reused, grids;      /* has multipliers; one matrix serves many solves; geometric multigrid fits */
  long ndofs;
  int nranks;
} SolverClass;
const SolverRow *solver_choose(const SolverClass *of, const char **why);

typedef struct Solver {
  Engine *engine;
  const SolverRow *row;
  const char *why;
  const Pattern *pattern;
  KSP ksp;
  Vec b, x, r;
  double rtol;
  int max_iterations;
  int iterations;                    /* of the last solve */
  double residual, worst;            /* true relative residual of the last solve; the largest of all so far */
  bool asked, told;                  /* rtol: was given; a residual above it was reported */
  double start;                      /* its first residual norm, for progress */
  Multigrid grids;
  void *test;                        /* of KSPConvergedDefault */
} Solver;

/* Near-null space of vector unknowns from rigid motions where the form sees vector gradients through eps only. */
Status solver_open(Solver *solver, Problem *problem, const Pattern *pattern, const SolverRow *row, const char *why, const SolveOptions *options);
void solver_close(Solver *solver);
/* d[nowned] := solution of J d = r. E2001 where the tolerance is not met. fresh: the matrix has changed since the last solve. */
Status solver_solve(Solver *solver, Problem *problem, const Data *data, bool fresh, const double *r, double *d);

#endif
