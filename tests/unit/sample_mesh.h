/* Meshes made by hand for tests: a grid of simplices, bent by a function, with boundary facets and named sides. */
#ifndef SAMPLE_MESH_H
#define SAMPLE_MESH_H
#include "../../numerics/nodal.h"

typedef void (*SampleMap)(double *x);
/* n cells per direction of the unit cube [0,1]^dim, moved by map (NULL: not); sides left right bottom top front back (x y z). periodic: the first
 * direction closes on itself, so left and right vanish. keep (NULL: all): cells whose centre it refuses are left out, their facets become "hole". */
Mesh *sample_mesh(int dim, const int *n, SampleMap map, bool periodic, bool (*keep)(const double *centre));
void sample_mesh_free(Mesh *mesh);
/* Values of f at the nodes of an element; values and cell_node are owned by the caller: free both. */
NodalField sample_field(Mesh *mesh, const char *element, int ncomp, void (*f)(const double *x, double *out));
void sample_field_free(NodalField *field);

#endif
