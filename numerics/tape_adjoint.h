/* Derivatives of a tape's entries, between tape_adjoint.c that makes them and tape_gradient.c that runs them. */
#ifndef TAPE_ADJOINT_H
#define TAPE_ADJOINT_H
#include "tape_internal.h"

/* by: sources. leaky: with max(0, a) made leaky, for smooth searches: value, and slopes by its own sources; NULL: there is none. */
typedef struct TargetAdjoint {
  Program *program; int *by, nby;
  Program *leaky, *leaky_slopes; int *leaky_by, nleaky_by;
  const char *why_not;
} TargetAdjoint;

typedef struct ArgumentSlopes { Program *program; int *input, *source, n; } ArgumentSlopes;      /* output k: of that input by that source */
typedef struct ApplyAdjoint { ArgumentSlopes scalars, series; } ApplyAdjoint;

typedef struct ExtremumTerm { int field, component; const double *coef; } ExtremumTerm;

typedef struct ReduceAdjoint {
  int *by, nby;                 /* sources: numbers that stand in the integrand */
  Measure *numbers, *vector;    /* integrals: by those, by the fields' nodal values */
  Extremum *slopes;             /* extrema, at each point: by those, then by the terms */
  ExtremumTerm *term; int nterms;
  Program *program;             /* over time alone */
} ReduceAdjoint;

bool tape_differentiable(const TapeRun *run, int target, const char **why_not);
void tape_adjoint_close(TapeRun *run);
Expr *tape_add_product(ExprPool *pool, Expr *sum, Expr *a, Expr *b);      /* sum + a*b */
Status tape_gradient(TapeRun *run, int n, const double *rows, int target, double smooth, double *values, double *gradient, char **failed);

#endif
