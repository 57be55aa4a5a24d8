/* The facets between cells. The two cells of one are seen with their vertices in an order that both share: those of the facet by ascending global
 * number, then the opposite one. So the facet lies opposite the last vertex of either, with the same points in the same places, and one table of basis
 * functions and one quadrature rule serve both, whatever their numbering. */
#ifndef MESH_INTERIOR_H
#define MESH_INTERIOR_H
#include "element.h"
#include "mesh.h"

enum { INTERIOR_ORDERS = 24 };       /* of the vertices of a tetrahedron; 6 of a triangle's, 2 of an interval's */

typedef struct FacetPair {
  int cell[2];             /* first the one of lower global number: n points from it to the other */
  uint8_t order[2];        /* number of the order of its vertices */
} FacetPair;

/* The facets with both cells here, each once; owned: those that count in integrals of this rank. A fresh array. */
FacetPair *mesh_interior(const Mesh *mesh, bool owned, int *n);
/* Local vertex at each place of an order; the last is also the local facet. */
void mesh_interior_vertices(int dim, int order, int vertex[4]);
/* Local node of an element at each place of an order: out[order*nodes + place]; a fresh array. */
uint8_t *mesh_interior_nodes(const Element *element, int dim);

#endif
