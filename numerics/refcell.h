/* Reference cells: the simplex with vertex 0 at the origin and vertex k at e_k, and the unit square and cube, whose vertex w has the coordinates
 * (w & 1, w >> 1 & 1, w >> 2). Everything that differs between cells of one dimension is here, as data. */
#ifndef REFCELL_H
#define REFCELL_H
#include <stdbool.h>

typedef enum CellShape { CELL_SIMPLEX, CELL_TENSOR } CellShape;

enum { CELL_VERTS = 8, CELL_FACETS = 6, CELL_EDGES = 12, CELL_MAP = 27 /* most nodes of a map */ };

typedef struct RefCell {
  CellShape shape;
  int dim, nverts, nfacets, nedges;
  int facet_verts;                    /* vertices of a facet */
  int axis[3];                        /* the vertex at the end of reference axis k */
  int edge[CELL_EDGES][2];
  int facet[CELL_FACETS][4];          /* vertices of a facet, ascending; of a simplex facet i lies opposite vertex i, of a tensor cell facet 2k + s is X_k = s */
  double inward[CELL_FACETS][3];      /* gradient of the coordinate that is zero on a facet and grows inwards */
  double measure;
  const char *name, *plural;          /* "triangle" */
} RefCell;

/* dim 1..3; there is no tensor cell of dimension 1: an interval is a simplex. */
const RefCell *refcell_of(CellShape shape, int dim);
/* Reference coordinates in the cell of a point of its facet: p[dim - 1] by the facet's vertices. */
void refcell_facet_point(const RefCell *cell, int facet, const double *p, double *X);
/* The least of the coordinates that are zero on a facet: negative outside. */
double refcell_depth(const RefCell *cell, const double *X);
double refcell_facet_depth(const RefCell *cell, int facet, const double *X);
void refcell_vertex(const RefCell *cell, int vertex, double *X);
void refcell_centre(const RefCell *cell, double *X);

/* The map x(X) = sum_g N_g(X) x_g of a cell that is no affine image. g: its vertices; where it is bent then its bends, in hierarchical form: for each edge
 * the way from the middle between its ends to its own middle; of tensor cells also for each face (in space) and for the cell the way from where its
 * vertices, edges and faces put its middle to where that is. Simplices have N = 4 l_a l_b for an edge; tensor cells products of 1 - X, X and, along what
 * is bent, 4 X (1 - X). N[g], dN[g*dim + k], d2N[(g*dim + k)*dim + l]; any of them NULL. */
int refcell_bends(const RefCell *cell);
int refcell_map_nodes(const RefCell *cell, bool bent);
void refcell_map(const RefCell *cell, bool bent, const double *X, double *N, double *dN, double *d2N);

#endif
