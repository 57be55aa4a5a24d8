/* What the writers for other programs share: one grid of points for all fields, vertices and, where a field is of degree 2 or more or a cell is
 * curved, the middles of edges (of tensor cells those of faces and cell too). A P1 field on such a grid is interpolated, which is exact; fields of degree over 2 are sampled at its points. Where a field of a
 * discontinuous element is linear or more each cell has its own points, so that the jumps are there; constants on cells are data of cells. */
#ifndef IO_POINTS_H
#define IO_POINTS_H
#include "io.h"

typedef struct IoCellRow {
  CellShape shape;
  int dim, degree, vtk;   /* its cell type in VTK */
  const char *xdmf;
  unsigned char order[27];/* our node at each place of theirs */
} IoCellRow;

typedef struct IoPoints {
  int n, nodes;           /* points; nodes of a cell, as those of the element */
  const Element *element; /* of degree 1 or 2 */
  const IoCellRow *row;
  bool apart;             /* each cell its own points */
  double *x;              /* [n][3] */
  int *cell;              /* [ncells][nodes] */
  int *owner;             /* [n] a place in `cell` where the point occurs */
} IoPoints;

Status io_points_open(IoPoints *points, const IoResult *result, Diags *diags, Span span);
void io_points_close(IoPoints *points);
/* [n][ncomp] of field f in a state; free it; NULL: memory is out. Where a field jumps the last cell's value stands. */
double *io_points_values(const IoPoints *points, const IoResult *result, int state, int f);
/* A field that is constant on each cell: [ncells][ncomp] of a state, a value a cell. */
bool io_is_cellwise(const NodalField *field);
double *io_cell_values(const IoResult *result, int state, int f);
Status io_check_finite(const IoResult *result, Diags *diags, Span span);
char *io_sibling(const char *path, const char *suffix);

#endif
