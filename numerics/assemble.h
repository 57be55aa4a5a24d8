/* Integrals over batches of cells or facets into vectors, matrices and numbers. */
#ifndef ASSEMBLE_H
#define ASSEMBLE_H
#include "data.h"
#include "mesh_interior.h"
#include "pattern.h"

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

/* r[nlocal] += the integrals; rows of ghosts hold rubbish afterwards. */
Status assemble_vector(const Data *data, const Part *parts, int n, double *r);
/* The same with the absolute values of what the cells contribute: the scale that r is small against. */
Status assemble_sizes(const Data *data, const Part *parts, int n, double *r);
/* The matrix is zeroed first; prescribed rows and columns keep the diagonal pattern->scale alone. */
Status assemble_matrix(const Data *data, const Part *parts, int n, Pattern *pattern);
/* out[nout] += sums over the items, ranks not added. */
Status assemble_numbers(const Data *data, const Part *part, double *out);
/* Names the first item whose kernel output is not finite, with place and inputs (E2003); returns 0 if there is none on this rank. */
Status assemble_blame(const Data *data, const Part *parts, int n);

#endif
