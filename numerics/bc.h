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
  bool differs;                  /* from what won a node of it: reported */
} BcClause;

typedef struct BcOverlap {       /* two clauses by the names of boundaries that share facets */
  int a, b;                      /* clauses */
  long facets;                   /* on all ranks */
  int n, (*at)[2];               /* the nodes of those facets: places in a and b */
} BcOverlap;

typedef struct Bc {
  const Space *space;
  const Unknown *unknowns;       /* of the pde, borrowed */
  BcClause *clause; int nclauses;    /* in rising precedence */
  char *prescribed;              /* [nlocal] */
  int *winner;                   /* [nlocal] clause, -1 */
  BcOverlap *overlap; int noverlaps;
  bool of_time;                  /* some value depends on t */
  bool checked;                  /* differing values were looked for */
} Bc;

/* Facets of a place on the boundary or of an interface; a fresh array (free it). */
int *bc_facets(const Mesh *mesh, const Where *where, int *n);
/* Errors where two flux conditions for one component, both by the names of boundaries, share facets: their fluxes would add up. Collective. */
Status bc_fluxes_apart(const Form *form, const Data *data);
/* Warns where a value beats a flux that is given on the same facets by another name. Collective. */
void bc_fluxes_beaten(const Form *form, const Data *data);
/* Collective. data: mesh, space, diags. */
Status bc_new(const Pde *pde, const unsigned *findings_of, const Data *data, Bc **out);
void bc_free(Bc *bc);
/* Writes the prescribed values at data->time into u[nlocal], ghosts included. Collective. */
Status bc_apply(Bc *bc, const Data *data, double *u);
/* The value of a clause at its i-th node, component c of the unknown, of the last bc_apply; false: not by this clause. */
bool bc_value(const BcClause *clause, int components, int i, int c, double *out);
/* The nodes of facets, each once: where mark is not stamp yet. */
void bc_facet_nodes(BcClause *clause, const Mesh *mesh, const NodeSet *nodes, const int *facets, int n, int *mark, int stamp);
/* Between the files of bc: which clauses share facets, and the error where their values differ there, at the time of the last evaluation. Collective. */
void bc_find_overlaps(Bc *bc, const Data *data);
void bc_free_overlaps(Bc *bc);
Status bc_values_apart(const Bc *bc, const Data *data);
void bc_zero(const Bc *bc, double *r);      /* r at prescribed dofs := 0 */

#endif
