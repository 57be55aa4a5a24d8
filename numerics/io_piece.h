/* A rank's own cells as a mesh and fields of their own, for files that every rank writes its share of. */
#ifndef IO_PIECE_H
#define IO_PIECE_H
#include "nodal.h"

/* The cells that this rank counts (mesh_owns_cell), with their vertices, bends and regions but without facets and groups; cells: the numbers that they have in
 * `mesh`, for free(). mesh_release it. */
Mesh *piece_mesh(const Mesh *mesh, int **cells);
/* The field on these cells; freed by gathered_free. */
void piece_field(const NodalField *field, const Mesh *piece, const int *cells, NodalField *out);

#endif
