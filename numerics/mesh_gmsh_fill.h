/* What shapes of scripts and CAD files share inside of the provider: cells made in the current model, and copied out of it. */
#ifndef MESH_GMSH_FILL_H
#define MESH_GMSH_FILL_H
#include "mesh_gmsh.h"

int gmsh_fill(int dim, bool fast);   /* 0 or Gmsh's error number */
/* Cells of that shape; middles: those of the edges of facets too, of simplices. */
int gmsh_copy_cells(int dim, CellShape shape, bool middles, GmshCells *out);
Status gmsh_cad(const char *path, double scale, const MeshOptions *options, Diags *diags, GmshCad *out);

#endif
