/* Prescribed values: which dofs, by which condition, with which values. */
#ifndef BC_H
#define BC_H
#include "data.h"

typedef struct BcClause {        /* one Dirichlet condition on its nodes */
  const Condition *condition;
  int n;                         /* local nodes, each once */
  int *node, *cell, *facet;      /* node of the block; a cell with it and the local facet it was found on */
  double *reference;             /* [n][dim] */
  double *value;                 /* [n][ncomponents of the clause] of the last evaluation */
} BcClause;

typedef struct Bc {
  const Space *space;
  const Unknown *unknowns;       /* of the pde, borrowed */
  BcClause *clause; int nclauses;    /* in rising precedence */
  char *prescribed;              /* [nlocal] */
  int *winner;                   /* [nlocal] clause, -1 */
  bool checked;                  /* differing values were looked for */
} Bc;

/* Errors where two flux conditions for one component, both by the names of boundaries, share facets: their fluxes would add up. Collective. */
Status bc_fluxes_apart(const Form *form, const Data *data);
/* Collective. data: mesh, space, diags. */
Status bc_new(const Pde *pde, const unsigned *findings_of, const Data *data, Bc **out);
void bc_free(Bc *bc);
/* Writes the prescribed values at data->time into u[nlocal], ghosts included. Collective. */
Status bc_apply(Bc *bc, const Data *data, double *u);
/* The value of a clause at its i-th node, component c of the unknown, of the last bc_apply; false: not by this clause. */
bool bc_value(const BcClause *clause, int components, int i, int c, double *out);
void bc_zero(const Bc *bc, double *r);      /* r at prescribed dofs := 0 */

#endif
