/* Linear systems: PETSc's KSP as a row of solver.def says, the true residual. */
#ifndef SOLVE_H
#define SOLVE_H
#include "multigrid.h"
#include "pattern.h"
#include "problem.h"
#include "solver.h"

/* A method that was chosen, not asked for, has failed beyond: a factor costs less by then. */
enum { CHOSEN_ITERATIONS = 2000 };

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
/* d[nowned] := solution of J d = r. E2001 where the tolerance is not met. fresh: the matrix has changed since the last solve. reference: norm that
 * residuals are relative to where it is larger than that of r (0: that of r). broke: where an iterative method
 * fails, the reason, without a report and without a result; NULL: failing is E2001. */
Status solver_solve(Solver *solver, Problem *problem, const Data *data, bool fresh, const double *r, double reference, double *d, const char **broke);
/* Norm of r + J delta: with r = -residual(u) the residual of a linear problem at u - delta. Overwrites what the last solve left. */
Status solver_residual_before(Solver *solver, const double *r, const double *delta, double *norm);
/* What takes the place of a row that was chosen, not asked for, and broke down; NULL: nothing more to try. */
const SolverRow *solver_after(const SolverRow *row);

#endif
