/* Fields by nodes: plain arrays, the form in which fields leave the solver for pictures and files. Nodes are those of the element on
 * each cell (vertices, edges, faces, interior); values are in SI units. No PETSc, no expressions. */
#ifndef NODAL_H
#define NODAL_H
#include "../lang/expr.h"
#include "element.h"
#include "mesh.h"

typedef struct NodalField {
  const char *name;        /* "T"; NULL where nobody reads it */
  const char *unit;        /* "K", "m/s"; NULL or "": dimensionless */
  Shape shape;             /* specialised: its size is ncomp */
  int ncomp;
  const Element *element;
  int nnodes;
  const int *cell_node;    /* [ncells][element_nodes]; NULL: each cell has its own nodes e*element_nodes + a (jumps are allowed) */
  const double *values;    /* [nnodes][ncomp] */
} NodalField;

/* The node numbers of a continuous (or cellwise) element on a mesh: vertices first, then edges, faces, cell interiors. [ncells][element_nodes],
 * free it; NULL: memory is out. Numbers the edges and faces of the mesh where the element needs them. */
int *nodal_layout(Mesh *mesh, const Element *element, int *nnodes);

/* The values of one cell, [element_nodes][ncomp]. */
void nodal_cell(const NodalField *field, int dim, int cell, double *out);

/* Value at n reference points of one cell: out[n][ncomp]; basis: scratch for n*element_nodes numbers. */
void nodal_at(const NodalField *field, int dim, int cell, int n, const double *points, double *basis, double *out);

/* Index of the first value that is not finite, or -1. */
long nodal_first_bad(const NodalField *field);

#endif
