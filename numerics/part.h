/* Where an integral is taken: its cells or facets in runs, and the kernels that they need. */
#ifndef PART_H
#define PART_H
#include "data.h"
#include "mesh_interior.h"

typedef struct Part {            /* one integral, ready to run */
  Kernel *kernel;
  Kernel *curved;                /* for cells whose map is not affine; NULL where there are none */
  const Integral *integral;      /* place and text for diagnostics, NULL: a functional */
  bool all;                      /* every local cell, in order; none is curved */
  int *item, n;                  /* else: cells or facets, in runs [group[g], group[g+1]) */
  int group[2 * CELL_FACETS + 1];/* those of affine cells first, then those of curved ones; facets in a run for each local facet number */
  Expr *measured;                /* of a functional: its expression, for messages */
  FacetPair *pair;               /* INTERIOR: n facets between cells; item is not used */
  Span span;
} Part;

/* Lists the cells or facets of `where`. owned: only those that count in integrals (functionals); otherwise all local ones. E2012 if there are none on
 * any rank, unless `may_be_empty`. Collective. */
Status part_place(Part *part, const Data *data, const Where *where, IntegralKind kind, bool owned, bool may_be_empty);
void part_free(Part *part);
/* Sorts the items into runs; part->item may have been filled by hand. */
void part_group(Part *part, const Mesh *mesh, IntegralKind kind);
/* Builds the kernels that the items need; shape and visits of the request are set here. */
Status part_kernels(Part *part, const Data *data, LowerRequest *request);
/* Runs of one kind of cell: one, or one for each local facet number. */
int part_runs(const Mesh *mesh, IntegralKind kind);

#endif
