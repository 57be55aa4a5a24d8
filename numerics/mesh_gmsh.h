/* The provider gmsh.so: shapes in, raw cells out. What the engine sees of it is this table; Gmsh itself is seen by mesh_gmsh*.c alone. */
#ifndef MESH_GMSH_H
#define MESH_GMSH_H
#include "mesh.h"

enum { GMSH_ABI = 1 };

typedef struct GmshCells {
  double *x;         /* [nnodes][3], nodes that cells use */
  int *cell;         /* [ncells][dim + 1], either orientation */
  int nnodes, ncells;
  double measure;    /* exact length, area or volume of the shape as built */
} GmshCells;         /* arrays for free() */

typedef struct GmshApi {
  int abi;
  /* Builds the shape, cuts it where named regions and boundaries end, and fills it with simplices. Sizes as in options. */
  Status (*cells)(const Geom *geom, const MeshOptions *options, Diags *diags, GmshCells *out);
  void (*version)(Buf *out);
} GmshApi;

/* The table, or NULL: why says in a sentence what was looked for and not found. */
const GmshApi *mesh_provider(Buf *why);

#endif
