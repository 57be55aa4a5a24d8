/* Nonlinear (and linear) systems in residual form: u with its prescribed values in, J d = -r(u), u + d. */
#ifndef NEWTON_H
#define NEWTON_H
#include "solve.h"

typedef struct System {
  Problem *problem;
  const SolveOptions *options;
  Pattern *pattern;
  Solver solver;
  bool open, ready;              /* ready: matrix and factor are those of this Jacobian */
  double *r, *d, *trial;         /* [nlocal] */
  const double *before;          /* [nlocal] of a step: the state before it, borrowed. Residuals are measured by what it would leave with the new
                                    prescribed values, not by what a good first guess leaves; NULL: by the first guess's */
  int newton_iterations;         /* in all */
} System;

/* reused: one matrix may serve many solves. Collective, as all here. */
Status system_open(System *system, Problem *problem, const SolveOptions *options, bool reused);
void system_close(System *system);
/* u[nlocal]: first guess with prescribed values in; the solution on return. data->unknown is set to it. A linear problem takes one step; fresh: its
 * matrix must be assembled anew. */
Status system_solve(System *system, Data *data, bool fresh, double *u);
double space_norm(const Space *space, const double *v);      /* Euclidean over owned dofs of all ranks */

#endif
