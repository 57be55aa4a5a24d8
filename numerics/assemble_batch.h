/* Cells or facets a batch at a time: what a kernel wants is gathered, the kernel runs, and the results are used. */
#ifndef ASSEMBLE_BATCH_H
#define ASSEMBLE_BATCH_H
#include "part.h"

typedef struct Batch {
  const Kernel *kernel;
  const Data *data;
  const Part *part;
  FieldData *field;
  double *x, *w, *c, *p, *out;
  void *scratch;
  int *cell, *facet;          /* of the lanes */
  int *cell2;                 /* on facets between cells: the second ones, and the orders of both, in which places and dofs are gathered */
  uint8_t *order[2];
  int places[INTERIOR_ORDERS][4];
  uint8_t **field_node, **block_node;   /* mesh_interior_nodes of the kernel's fields, of the space's blocks; NULL in other integrals */
  int *nodes;                 /* scratch for the nodes of both */
  int lanes;                  /* that count */
  double *points;             /* AT_POINTS: scratch */
} Batch;

typedef Status (*BatchUse)(Batch *batch, void *user);
/* Every batch of a part in turn; fails after a report, or where `use` does. */
Status each_batch(const Data *data, const Part *part, BatchUse use, void *user);

#endif
