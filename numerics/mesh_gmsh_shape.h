/* Shapes in Gmsh's model (Open CASCADE kernel). */
#ifndef MESH_GMSH_SHAPE_H
#define MESH_GMSH_SHAPE_H
#include "mesh.h"

typedef struct GmshShape { int *tags; size_t n; } GmshShape;   /* [n] (dim, tag) pairs of the pieces */

/* Builds geom, cut where named regions end, in the current model; 0 or Gmsh's error number. */
int gmsh_shape(const Geom *geom, GmshShape *out);
/* After synchronising: splits the boundary where named boundaries end; removes what bounds nothing. */
int gmsh_cut_boundaries(const Geom *geom, GmshShape *shape);
int gmsh_remove_loose(int dim);
void gmsh_shape_free(GmshShape *shape);
void gmsh_shape_push(GmshShape *shape, int dim, int tag);

int gmsh_build(const GeomNode *node, GmshShape *out);       /* the pieces of a tree */
int gmsh_primitive(const GeomNode *node, GmshShape *out);   /* of a leaf, or of a tree of sweeps */

#endif
