/* A mesh that is cut along interfaces, so that unknowns may jump there: the same cells in the same places, with vertices of their own on either side. */
#ifndef MESH_CUT_H
#define MESH_CUT_H
#include "../lang/pde.h"
#include "mesh.h"

/* The vertices of facets on the interfaces (Where.interface) that separate the cells around them become several, one for each set of cells that hang together; where an
 * interface ends inside the domain, or cells of a third region join both sides, there stays one. Takes over the reference to mesh, which the cut one retains. */
Mesh *mesh_cut(Mesh *mesh, const Where *const *interfaces, int n);
/* As mesh_neighbours, but only across facets whose two cells do not share their vertices. */
int *mesh_cut_neighbours(const Mesh *mesh);

#endif
