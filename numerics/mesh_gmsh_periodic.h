/* Periodic meshes by Gmsh. */
#ifndef MESH_GMSH_PERIODIC_H
#define MESH_GMSH_PERIODIC_H
#include "mesh.h"

/* Before meshing: the mesh of each `to` becomes the translated one of its `from`. 0 or an error; wrong: index of a pair whose sides are no images. */
int gmsh_periodic(const Geom *geom, const MeshPeriodic *periodic, int n, int *wrong);

#endif
