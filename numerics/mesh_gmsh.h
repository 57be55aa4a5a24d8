/* The provider gmsh.so: shapes in, raw cells out. What the engine sees of it is this table; Gmsh itself is seen by mesh_gmsh*.c alone. */
#ifndef MESH_GMSH_H
#define MESH_GMSH_H
#include <stdlib.h>

#include "mesh.h"

enum { GMSH_ABI = 5 };

/* Cells, or facets, by the pieces (OCC entities) of the shape that they fill. */
typedef struct GmshPieces {
  int n;
  double *measure;   /* [n] exact length, area or volume */
  int width;         /* nodes of a cell, of a facet */
  int *nodes;        /* [count][width], numbers of nodes; quadrilaterals go around */
  int *piece;        /* [count] */
  int count;
} GmshPieces;

typedef struct GmshCells {
  double *x;         /* [nnodes][3], nodes that cells use */
  int nnodes;
  GmshPieces cells, facets;   /* cells in either orientation; facets of the boundary and between pieces */
  double measure;    /* exact length, area or volume of the shape as built */
  int nmiddles, *ends;        /* [nmiddles][2] nodes of edges of facets; none where cells are straight */
  double *middle;    /* [nmiddles][3] their middles on the curve or surface */
} GmshCells;         /* arrays for free() */

static inline void gmsh_cells_free(GmshCells *cells) {
  void *arrays[] = {cells->x, cells->cells.measure, cells->cells.nodes, cells->cells.piece, cells->facets.measure, cells->facets.nodes, cells->facets.piece,
                    cells->ends, cells->middle};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  *cells = (GmshCells){0};
}

/* A CAD file: its cells, names of the pieces (malloc, NULL: none). Without cells where h does not fit its size, or it has no domain. */
typedef struct GmshCad {
  int dim;           /* of its highest entities; 0: it has none */
  bool is_plane;     /* or solid */
  double size;       /* diagonal of its bounds */
  GmshCells cells;
  char **names, **facet_names;
} GmshCad;

typedef struct GmshApi {
  int abi;
  /* Builds the shape, cuts it where named regions and boundaries end, and fills it with simplices, or
   * in the plane with quadrilaterals. Sizes as in options. */
  Status (*cells)(const Geom *geom, const MeshOptions *options, Diags *diags, GmshCells *out);
  Status (*cad)(const char *path, double scale, const MeshOptions *options, Diags *diags, GmshCad *out);
  void (*version)(Buf *out);
} GmshApi;

/* The table, or NULL: why says in a sentence what was looked for and not found. */
const GmshApi *mesh_provider(Buf *why);

#endif
