/* Unknown numbers beside the unknown fields, each with one equation between integrals: the border of the matrix. Two kinds: the multiplier of a
 * constraint, mean(p) == 0, which is a constant source in an unknown's equation; and a number that the equations contain, integral(u), which depends on
 * the unknowns everywhere. So a nonlocal term leaves the matrix sparse, but for one row and one column. */
#ifndef BORDER_H
#define BORDER_H
#include "assemble.h"

struct Problem;
enum { BORDERS_MAX = 16 };

typedef struct Functional {      /* one integral in the equation of a number: value and derivative */
  Part value, slope;             /* rank 0; rank 1 in the direction of the test functions */
  Part *by;                      /* [nglobals] rank 0: derivative by each number that stands in it; no kernel: none */
  double measure;                /* divides both: mean; 1 otherwise */
} Functional;

typedef struct Border {
  const Constraint *constraint;  /* one of the two */
  const Global *global;
  Functional *functional; int nfunctionals;
  Expr *g, **by, *by_global[BORDERS_MAX];   /* its equation is g == 0 in parameters that stand for the integrals; dg by each, and by the numbers */
  Name *names;
  Part *column; int ncolumns;    /* derivative of the residual by the number: test functions over cells and facets */
  unsigned long rows;            /* unknowns whose equations contain the number, by bits */
  bool constant;                 /* the column does not change in time */
} Border;

/* Both report; border_free takes what they left. Collective, as all below. */
Status border_constraint(struct Problem *problem, const Constraint *constraint, Border *out);
Status border_global(struct Problem *problem, const Global *global, Border *out);
void border_free(Border *border, int nglobals);

/* The numbers that the equations contain, from the fields of u[nlocal]: where a solve begins. */
Status border_start(struct Problem *problem, const Data *data, double *u);
/* Adds the multipliers' sources to r[nlocal] and sets the rows of the numbers. */
Status border_residual(struct Problem *problem, const Data *data, double *r);
/* Adds the rows and columns of the numbers to an assembled matrix. */
Status border_jacobian(struct Problem *problem, const Data *data, Mat matrix);
/* rows of each border, for the pattern. */
void border_rows(const struct Problem *problem, unsigned long rows[BORDERS_MAX]);

#endif
